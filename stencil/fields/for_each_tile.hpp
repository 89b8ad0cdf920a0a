/// Loops by threads over what a program computes itself, where no loop or step of seam does it: tiles
/// of a grid, or anything that has numbers, such as the vertices of a mesh.
///
///     for_each_tile(tiles, [&](box<2> const& tile) { ... });
///     for_each_index(num_vertices, [&](int v) { ... });
#pragma once

#include <seam/exchange/steps/regions/box.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <cstdint>
#include <vector>

namespace seam {

/// Calls visit(tile) for each of `tiles`, in any order, on all threads of the calling rank as they
/// become free; returns when all are done.
/// Local.
/// Threads: the calling one and those of its loops; `visit` is called by several at a time.
/// Cost: no allocation.
template <int D, class Visit>
void for_each_tile(std::vector<box<D>> const& tiles, Visit const& visit) {
  detail::parallel_for_tiles("seam::tiles", tiles, visit);
}

/// Calls visit(k) for each k from 0 to `count` - 1, in any order, on all threads of the calling rank;
/// returns when all are done. Each thread has about as many.
/// Local.
/// Threads: the calling one and those of its loops; `visit` is called by several at a time.
/// Cost: no allocation.
template <class Visit>
void for_each_index(int count, Visit const& visit) {
  detail::parts_of<1> const parts(box<1>{{0}, {count}});
  detail::parallel_for_parts("seam::indices", parts.size(), [&](int part) {
    box<1> const indices = parts[part];
    for (std::int64_t k = indices.lo[0]; k < indices.hi[0]; ++k)
      visit(static_cast<int>(k));
  });
}

/// The number of threads that loops of the calling rank have. Local.
using detail::num_loop_threads;

} // namespace seam
