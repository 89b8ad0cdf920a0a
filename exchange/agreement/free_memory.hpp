/// Free memory: how much a machine has left, and whether memory that its processes are about to
/// allocate will fit.
///
///     require_memory(comm.context(), 8.0 * num_cells, "table");
///
/// A system that promises more memory than it has ends a process when this writes to it. Calls that
/// allocate much therefore check first.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <string_view>

namespace seam::detail {

/// The memory that this process's machine has left for it: pages that no process uses, and pages of
/// files that can be read again, as far as the process's control groups allow. [bytes]
/// The largest number where the system does not tell. Local.
std::int64_t free_memory();

/// Makes sure that all processes of a machine together ask for no more memory than it has left.
///
/// @param bytes  memory that this process is about to allocate; may differ [bytes]
/// @param what   name of the allocation, the first word of the error line
/// @throws usage_error  a machine has less (on all ranks)
/// Collective: over `over`; on a bipartite communicator each process is checked by itself.
/// Cost: one allreduce if all processes ask for little.
void require_memory(mpi::comm_view over, double bytes, std::string_view what);

} // namespace seam::detail
