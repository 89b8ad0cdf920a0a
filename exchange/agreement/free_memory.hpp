/// Free memory: how much of it a machine has left, and whether what its processes are about to take
/// will fit.
///
///     require_memory(comm.context(), 8.0 * num_cells, "table");
///
/// A system that promises more memory than it has ends a process once that is written to. Whoever
/// takes much therefore asks first.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <string_view>

namespace seam {

/// The memory that this process's machine has left for it: what no process uses, or what files take
/// that can be read again, as far as the process's control groups allow. [bytes]
/// The largest number where the system does not tell. Local.
std::int64_t free_memory();

/// Makes sure that all processes of a machine together ask for no more memory than it has left.
///
/// @param bytes  that this process is about to take; may differ [bytes]
/// @param what   that takes them, the first word of the error line
/// @throws usage_error  a machine has not so much (on all ranks)
/// Collective: over `over`. Cost: one allreduce if all ask for little. On a bipartite communicator
/// each process is compared alone.
void require_memory(mpi::comm_view over, double bytes, std::string_view what);

} // namespace seam
