/// Luby's algorithm on a graph that has been prepared for it.
#pragma once

#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam::detail {

/// A distributed graph in local numbers: own nodes as given, then their neighbors on other ranks,
/// by ascending id.
class luby_graph {
public:
  /// @throws usage_error  the rank of an edge does not have its node (on all ranks)
  /// Collective: over `over`.
  luby_graph(Communicator const& over, distributed_graph const& graph);

  local_id num_own() const noexcept { return neighbors_.num_rows(); }
  local_id num_local() const noexcept { return static_cast<local_id>(ids_.size()); }

  /// Finds a maximal independent set of the nodes that are candidates. [num_local()]
  /// @param candidates  [num_local()] 1 or 0, also for nodes of other ranks
  /// Collective.
  std::vector<char> find_set(std::vector<char> candidates, std::uint64_t seed);

  /// The value of every local node, sent by its rank. [num_local()]
  /// @param own  [num_own()]
  /// Collective.
  std::vector<int> with_others(std::span<int const> own);

  adjacency const& neighbors() const noexcept { return neighbors_; }

  /// Whether any rank has a node whose flag is set. Collective.
  bool any(std::span<char const> flags) const;

private:
  std::vector<local_id> lowest(std::span<char const> candidates, std::uint64_t seed) const;
  std::vector<local_id> with_neighbor_in(std::span<char const> set,
                                         std::span<char const> candidates) const;
  std::vector<local_id> send_to_neighbors(std::span<local_id const> own);
  /// Sends own nodes to the ranks of their neighbors; returns them with the nodes that this rank
  /// receives behind them. Collective.
  std::vector<local_id> with_received(std::vector<local_id> own);
  local_id place_of(global_id other) const;

  Communicator const* over_;
  std::vector<global_id> ids_;                  ///< [num_local()]
  adjacency neighbors_;                         ///< [num_own()] -> local nodes
  std::vector<std::int64_t> nodes2ranks_ = {0}; ///< [num_own() + 1] -> ranks_
  std::vector<int> ranks_;                      ///< with neighbors of a node, each rank once
  SparseExchange exchange_;
};

} // namespace seam::detail
