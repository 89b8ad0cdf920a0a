/// Gather: others' blocks for the root.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <vector>

namespace seam {

/// The root gets everybody's block. On a graph: one block along each edge that ends at the root, in
/// the order of the root's sources.
///
/// @param send     one block; at the root MPI_IN_PLACE if its own block is in its place already
/// @param receive  at the root the first of the blocks; not looked at elsewhere
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see edges.hpp)
/// Source: [Traeff2021] sec. 2, listing 2.
collective gather(elements const& send, elements const& receive, int root);

/// The same with arriving blocks wherever and however long.
/// @param receives  [sources] at the root; not looked at elsewhere
collective gatherw(elements const& send, std::vector<elements> receives, int root);

/// Blocks of equal length into a contiguous range at the root.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective gather(Send const& send, Receive&& receive, int root) {
  elements const block = elements_of(send), all = elements_of(receive);
  return gather(block, elements{all.data, block.count, all.type}, root);
}

namespace detail {

/// gatherw into the blocks of `counts` elements that follow each other in `receive`.
collective gather_by_counts(elements const& send, elements const& receive,
                            std::vector<int> const& counts, int root);

} // namespace detail

/// Blocks of counts[e] elements, one behind the other, into a contiguous range at the root.
/// @param counts  [sources] at the root; not looked at elsewhere
/// @throws usage_error  (when run) the root's range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective gatherv(Send const& send, Receive&& receive, std::vector<int> const& counts, int root) {
  return detail::gather_by_counts(elements_of(send), elements_of(receive), counts, root);
}

} // namespace seam
