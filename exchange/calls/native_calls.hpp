/// Native calls: collectives on complete and bipartite communicators that the MPI library carries
/// out. Seam plans all collectives on graphs, and some among few processes of one node.
#pragma once

#include <seam/exchange/calls/detail/collective_definition.hpp>

namespace seam::detail {

/// True if the MPI library carries out start() of `call`: on complete and bipartite communicators,
/// if MPI can count that many elements; but few processes exchange blocks directly, by seam's own
/// plan, as long as trees would not save bytes. The same on all ranks. Local.
bool is_begun_natively(Communicator const& over, collective_definition const& call);

/// True if the MPI library carries out run() and prepare() of `call`: as is_begun_natively(), but
/// few processes make calls of seam's own plan only if they share the memory of one node, and then
/// also those of several rounds. The same on all ranks.
///
/// Collective: over `over`, the first time; local from then on.
bool is_native(Communicator const& over, collective_definition const& call);

/// Makes an operation whose every start is a call of MPI, in a context of its own. Collective: over
/// `over`.
operation native_operation(Communicator const& over, collective_definition const& call);

/// Starts the MPI library's nonblocking call. Local.
in_flight start_natively(Communicator const& over, collective_definition const& call);

/// Runs the MPI library's call to its end, as run(). MPI's blocking call is used if each process
/// has a core of its own and a thread that moves its operations (progress.hpp), and none had
/// reports of stalls (stall.hpp) switched on at the first such call.
void run_natively(Communicator const& over, collective_definition const& call);

} // namespace seam::detail
