/// Gather: all processes send a block to the root.
#pragma once

#include <seam/exchange/calls/collective.hpp>

#include <vector>

namespace seam {

/// The root receives the blocks of all processes. On a graph: one block along each edge that ends
/// at the root, in the order of the root's sources.
///
/// @param send     one block; at the root MPI_IN_PLACE if `receive` holds its own block already
/// @param receive  at the root the first of the blocks, which are contiguous; unused elsewhere
/// @param root     the same on all ranks; on bipartite communicators as in MPI (see planning/detail/edges.hpp)
/// Source: [Traeff2021] sec. 2, listing 2.
collective gather(elements const& send, elements const& receive, int root);

/// Gather with received blocks of any address and length.
/// @param receives  [sources] at the root; unused elsewhere
collective gatherw(elements const& send, std::vector<elements> receives, int root);

/// Gather of equal blocks into a contiguous range at the root.
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective gather(Send const& send, Receive&& receive, int root) {
  elements const block = elements_of(send), all = elements_of(receive);
  return gather(block, elements{all.data, block.count, all.type}, root);
}

namespace detail {

/// Makes a gatherw into contiguous blocks of `counts` elements in `receive`.
collective gather_by_counts(elements const& send, elements const& receive,
                            std::vector<int> const& counts, int root);

} // namespace detail

/// Gather of blocks of counts[e] elements into a contiguous range at the root.
///
/// @param counts  [sources] at the root; unused elsewhere
/// @throws usage_error  (when run) the root's range is too short
template <std::ranges::contiguous_range Send, std::ranges::contiguous_range Receive>
collective gatherv(Send const& send, Receive&& receive, std::vector<int> const& counts, int root) {
  return detail::gather_by_counts(elements_of(send), elements_of(receive), counts, root);
}

} // namespace seam
