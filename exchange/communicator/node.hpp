/// Nodes: which processes of a communicator share memory with this one.
#pragma once

#include <seam/exchange/communicator/shared_arena.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace seam::detail {

/// The processes of a communicator that share memory with the caller, itself among them.
class node {
public:
  static constexpr int elsewhere = -1;

  /// Finds the processes of `over` that share memory, as MPI and node_size() tell; only the caller
  /// if `over` is bipartite, or its ranks are endpoints, whose messages need no such memory.
  /// Collective: over `over`.
  explicit node(mpi::comm_view over);

  /// True if no other process shares memory with this one. Local.
  bool is_alone() const noexcept { return arena_ == nullptr; }

  /// The rank in memory().comm() of the process that is `rank` of the communicator; `elsewhere` if
  /// it is on another node. Local.
  int local_rank(int rank) const {
    if (members_.empty())
      return elsewhere;
    // Ranks of a node mostly follow each other.
    auto const guess = static_cast<std::size_t>(rank - members_.front().rank);
    if (guess < members_.size() && members_[guess].rank == rank)
      return members_[guess].local_rank;
    auto const found = std::ranges::lower_bound(members_, rank, {}, &member::rank);
    return found != members_.end() && found->rank == rank ? found->local_rank : elsewhere;
  }

  /// A new communicator of the processes of this node, ordered by `key`: that of memory().comm() is
  /// the rank in MPI_COMM_WORLD. Threads with different communicators do not meet in it.
  /// Collective: over `over`, for which the node was made.
  mpi::comm processes(mpi::comm_view over, int key) const;

  /// The memory of the node. Not for a process that is_alone().
  shared_arena& memory() const noexcept { return *arena_; }

private:
  struct member {
    int rank; ///< in the communicator
    int local_rank;
  };
  std::vector<member> members_; ///< of this node, ascending; none if this process is alone
  std::shared_ptr<shared_arena> arena_;
};

/// The rank in MPI_COMM_WORLD of process `peer` of `over` (of the other side if it is bipartite) if
/// this process is known to share memory with it by now; otherwise node::elsewhere.
/// Local, any thread.
int known_on_node(mpi::comm_view over, int peer);

} // namespace seam::detail
