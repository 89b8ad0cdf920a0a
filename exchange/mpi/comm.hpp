/// Communicators at the lowest floor: the non-owning view that functions take, and one checked
/// function for each MPI call that makes or asks a communicator.
#pragma once

#include <seam/exchange/mpi/handle.hpp>

namespace seam::mpi {

/// A communicator that somebody else owns. Copied freely; as cheap as the MPI_Comm itself.
class comm_view {
public:
  comm_view(MPI_Comm native) noexcept : native_(native) {}
  comm_view(comm const& owner) noexcept : native_(owner.native()) {}

  MPI_Comm native() const noexcept { return native_; }

  /// Rank of the calling process. Local.
  int rank() const;

  /// Number of processes (of the local group, on a bipartite communicator). Local.
  int size() const;

private:
  MPI_Comm native_;
};

/// A new context with the same processes that returns errors instead of ending the program.
/// Collective: over `over`.
comm dup(comm_view over);

/// One communicator per color, ranks ordered by key; empty for color MPI_UNDEFINED.
/// No topology or attribute is inherited. Collective: over `over`.
comm split(comm_view over, int color, int key);

/// The processes that share memory with the caller, in the order of their ranks in `over`.
/// Collective: over `over`.
comm split_shared(comm_view over);

/// The processes that share with the caller what `type` says, ordered by key; empty for
/// MPI_UNDEFINED. Collective: over `over`.
comm split_type(comm_view over, int type, int key, MPI_Info info);

/// The processes of both sides of a bipartite communicator, fully connected. Collective: over
/// `over`.
comm merge(comm_view over);

/// Makes every error on `over` return to the caller. Local.
void return_errors(comm_view over);

/// Makes errors on `to` call the error handler of `from`, as MPI does for what is made of `from`.
/// Local.
void inherit_error_handler(comm_view from, comm_view to);

/// True if `over` is an inter-communicator, which seam calls bipartite. Local.
bool is_bipartite(comm_view over);

} // namespace seam::mpi
