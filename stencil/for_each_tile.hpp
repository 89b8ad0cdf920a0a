/// Tiles by threads: a loop over boxes that a program computes itself, where no loop or step of seam
/// does it.
///
///     for_each_tile(tiles, [&](box<2> const& tile) { ... });
#pragma once

#include <seam/stencil/box.hpp>
#include <seam/stencil/detail/parallel.hpp>

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

} // namespace seam
