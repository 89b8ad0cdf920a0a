/// Two levels: messages between nodes travel together, one from node to node, and spread inside
/// nodes by shared memory, or by messages if that is off (shared_memory.hpp).
#pragma once

#include <seam/exchange/sparse/algorithms/consensus.hpp>
#include <seam/exchange/sparse/algorithms/shared_memory.hpp>
#include <seam/exchange/sparse/outbox.hpp>

#include <memory>
#include <optional>

namespace seam::detail {

/// The first process of each node gathers what its node sends to others, and takes part in a
/// consensus of nodes. What stays on the node never leaves its memory; on a single node nothing
/// else happens. Without shared memory the processes of a node come to a consensus of their own.
class two_level final : public delivery {
public:
  /// @param node  the processes of `over` that share the caller's memory, in the order of their
  /// ranks
  /// @throws usage_error  on all ranks: the system has no memory left to share
  /// Collective: over `over`.
  two_level(mpi::comm_view over, mpi::comm node);

  void run(std::span<parcel const> out, inbox& in) override;

private:
  void gather(std::span<parcel const> out);
  void spread(inbox& in);
  void cross();
  bool is_leader() const noexcept { return node_rank_ == 0; }
  std::optional<int> node_rank_of(int rank) const;

  mpi::comm node_, leaders_; ///< leaders are ranked by node
  int rank_, node_rank_;
  bool is_alone_ = false;        ///< there is no other node
  std::vector<int> members_;     ///< node rank to rank, ascending
  std::vector<int> ranks2nodes_; ///< of leaders only
  std::unique_ptr<delivery> inside_;
  std::optional<consensus> across_;
  outbox to_members_, to_nodes_; ///< messages of records
  inbox from_members_, from_nodes_;
};

} // namespace seam::detail
