/// Two levels: all messages from one node to another travel in one. Inside nodes messages travel by
/// shared memory, or by MPI if that is off or used up (node_links.hpp).
///
///     process -> leader of its node -> leader of the other node -> process
#pragma once

#include <seam/exchange/sparse/algorithms/consensus.hpp>
#include <seam/exchange/sparse/algorithms/node_links.hpp>
#include <seam/exchange/sparse/outbox.hpp>

#include <memory>
#include <optional>

namespace seam::detail {

/// The leader, the first process of a node, gathers the off-node messages of its node, and takes
/// part in a consensus of leaders. On-node messages never leave the node's memory; on a single node
/// there are no others. Without shared memory the processes of a node run a consensus of their own.
class two_level final : public delivery {
public:
  /// Collective: over `over`.
  explicit two_level(mpi::comm_view over);

  void run(std::span<parcel const> out, inbox& in) override;

private:
  void find_nodes(int num_ranks);
  void pack_records(std::span<parcel const> out);
  void deliver_inside(inbox& in);
  void deliver_across();
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
