/// Collectives among all processes of a communicator: who carries out what the MPI library could,
/// the library or seam, and how the library does. Never on graphs, which nobody else plans for.
#pragma once

#include <seam/exchange/calls/collective.hpp>

namespace seam {

/// True if the MPI library carries out a call of `what` that returns at once: on complete and
/// bipartite communicators, if it can count that many elements. Local.
bool is_begun_natively(Communicator const& over, collective const& what);

/// True if the MPI library carries out the other forms: all that it begins but what few processes
/// that share the memory of one node exchange directly, by seam's own plan, as long as trees would
/// not save bytes. The same on all ranks. Collective: over `over`, the first time; local from then
/// on.
bool is_native(Communicator const& over, collective const& what);

/// What the MPI library carries out, in seam's own context, again and again. Local.
operation native_operation(Communicator const& over, collective const& what);

/// The same once, at once. Local.
in_flight start_natively(Communicator const& over, collective const& what);

/// The same, to its end: by MPI's blocking call if each process has a core, which it need not give
/// away, and a thread that moves its operations (progress.hpp), and none wanted reports of
/// stalls (stall.hpp) when that was first asked for.
/// As run().
void run_natively(Communicator const& over, collective const& what);

} // namespace seam
