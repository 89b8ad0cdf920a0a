/// Scatter: a block of the root's for each.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <vector>

namespace seam {

/// Everybody gets its block from the root. On a graph: one block for each edge that begins at the
/// root, in the order of the root's destinations. Where several edges lead to one process, it gets
/// the block of the last.
///
/// @param send     at the root the first of the blocks; not looked at elsewhere
/// @param receive  one block; at the root MPI_IN_PLACE to leave its own where it is
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see edges.hpp)
/// Source: [Traeff2021] sec. 2.
collective scatter(elements const& send, elements const& receive, int root);

/// The same with leaving blocks wherever and however long.
/// @param sends  [destinations] at the root; not looked at elsewhere
collective scatterw(std::vector<elements> sends, elements const& receive, int root);

/// Blocks of equal length from a contiguous range at the root.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective scatter(Send const& send, Receive&& receive, int root) {
  elements const block = elements_of(receive), all = elements_of(send);
  return scatter(elements{all.data, block.count, all.type}, block, root);
}

namespace detail {

/// scatterw of the blocks of `counts` elements that follow each other in `send`.
collective scatter_by_counts(elements const& send, std::vector<int> const& counts,
                             elements const& receive, int root);

} // namespace detail

/// Blocks of counts[e] elements, one behind the other, from a contiguous range at the root.
/// @param counts  [destinations] at the root; not looked at elsewhere
/// @throws usage_error  (when run) the root's range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective scatterv(Send const& send, std::vector<int> const& counts, Receive&& receive, int root) {
  return detail::scatter_by_counts(elements_of(send), counts, elements_of(receive), root);
}

} // namespace seam
