/// Scatter: the root sends a different block to each process.
#pragma once

#include <seam/exchange/calls/collective.hpp>

#include <vector>

namespace seam {

/// Every process receives its block from the root. On a graph: one block for each edge that begins
/// at the root, in the order of the root's destinations. If several edges lead to one process, it
/// receives the block of the last.
///
/// @param send     at the root the first of the blocks, which are contiguous; unused elsewhere
/// @param receive  one block; at the root MPI_IN_PLACE if its own block stays in `send`
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see planning/detail/edges.hpp)
/// Source: [Traeff2021] sec. 2.
collective scatter(elements const& send, elements const& receive, int root);

/// Scatter with sent blocks of any address and length.
/// @param sends  [destinations] at the root; unused elsewhere
collective scatterw(std::vector<elements> sends, elements const& receive, int root);

/// Scatter of equal blocks from a contiguous range at the root.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective scatter(Send const& send, Receive&& receive, int root) {
  elements const block = elements_of(receive), all = elements_of(send);
  return scatter(elements{all.data, block.count, all.type}, block, root);
}

namespace detail {

/// Makes a scatterw of contiguous blocks of `counts` elements in `send`.
collective scatter_by_counts(elements const& send, std::vector<int> const& counts,
                             elements const& receive, int root);

} // namespace detail

/// Scatter of blocks of counts[e] elements from a contiguous range at the root.
///
/// @param counts  [destinations] at the root; unused elsewhere
/// @throws usage_error  (when run) the root's range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective scatterv(Send const& send, std::vector<int> const& counts, Receive&& receive, int root) {
  return detail::scatter_by_counts(elements_of(send), counts, elements_of(receive), root);
}

} // namespace seam
