/// Edges of collectives: selects the edges of a communicator that a collective uses, and plans the
/// schedule that moves elements along them.
#pragma once

#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// A copy of the counts of a v-collective, kept as long as its operation. A few lie in the object itself, so that a call that
/// is made again and again allocates nothing; copies share the memory of more.
class kept_counts {
public:
  kept_counts() = default;
  explicit kept_counts(std::span<int const> given);

  std::span<int const> span() const noexcept;

private:
  std::array<int, 12> few_{};     ///< enough for the faces of cubes, by twos
  std::shared_ptr<int[]> many_{}; ///< all counts, if they do not fit into `few_`
  std::ptrdiff_t size_ = 0;
};

/// Block k of contiguous blocks of `first.count` elements. Local.
elements nth_block(elements const& first, std::int64_t k);

/// The first `count` blocks from `first` on. Local.
std::vector<elements> blocks_from(elements const& first, std::int64_t count);

/// Marks keys of calls whose buffer arguments hold all blocks, not the first of equal ones.
inline constexpr int all_blocks = 1;

/// Contiguous blocks with a number of elements for each.
struct counted_blocks {
  elements all;
  kept_counts counts;

  /// The blocks: the first counts[0] elements of `all`, the next counts[1], and so on. Local.
  std::vector<elements> each() const;
};

/// True if MPI's calls can take the count.
bool fits_int(elements const& values);

/// Refuses a reduction whose `send` and `receive` differ in count or datatype. Local.
void check_alike(elements const& send, elements const& receive, char const* name);

/// Moves sends[e] along destination e and receives[e] along source e.
///
/// @param sends, receives  [destinations], [sources] of `over`; elements of no count move nothing
/// @param overlapping      `sends` and `receives` share memory
/// @throws usage_error  the blocks of an edge from the process to itself differ in bytes
/// Local.
schedule along_edges(collective_edges const& over, std::vector<elements> const& sends,
                     std::vector<elements> const& receives, bool overlapping = false);

/// As along_edges(), but a block that a process sends along several edges to one peer travels once:
/// the peer copies it from its first edge to the others.
///
/// @throws usage_error  as above, or blocks from one process differ in length
/// Local.
schedule once_to_each(collective_edges const& over, std::vector<elements> const& sends,
                      std::vector<elements> const& receives);

/// Bytes of each of `blocks` on the wire. Local.
std::vector<std::int64_t> bytes_of_each(std::vector<elements> const& blocks);

/// The peer and the bytes of each edge that carries a block of `blocks`, for checks. Local.
std::vector<edge_load> loads_of(std::span<edge const> edges, std::vector<elements> const& blocks);

/// The indices 0, 1, ... of `edges`. Local.
std::vector<int> indices_of(std::span<edge const> edges);

/// The edges of one process in an operation with a root.
struct rooted_edges {
  bool is_root;
  std::vector<int> at_root; ///< the root's edges, by index: to its leaves, or from them
  std::vector<int> at_leaf; ///< a leaf's edges with the root; the root's own ends of self-edges
};

/// Edges from `root` to its out-neighbors. On bipartite communicators `root` is MPI_ROOT on the
/// root, MPI_PROC_NULL on the other processes of its side, and the root's rank on the other side.
///
/// @throws usage_error  there is no such root
/// Local.
rooted_edges edges_from_root(collective_edges const& over, int root);

/// Edges from the in-neighbors of `root` to it. As above.
rooted_edges edges_to_root(collective_edges const& over, int root);

} // namespace seam::detail
