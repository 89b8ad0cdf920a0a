/// Tiles: the pieces of a block that threads compute, divided into those that read ghosts of other
/// processes and those that do not.
///
///     + - - - - - - +
///     | r r r r r r |     r: rim: computed when the halo has arrived
///     | r i i i i i |     i: interior: computed while it travels
///     | r i i i i i |
///     + - - - - - - +     (messages arrive from the left and from above)
#pragma once

#include <seam/stencil/box.hpp>
#include <seam/stencil/detail/ghosts.hpp>

#include <vector>

namespace seam::detail {

/// Cuts `part` into disjoint boxes of at most about `most_cells` cells, across the slow axes first
/// so that rows stay long.
/// Local.
template <int D>
std::vector<box<D>> cut(box<D> const& part, std::int64_t most_cells);

/// The tiles of a sweep over the cells `owned`, reading as far as `ghosts`; the cells `at_hand`
/// have their values before any message arrives (see arrivals.hpp). In indices relative to the
/// block.
/// Local.
template <int D>
struct sweep_tiles {
  std::vector<box<D>> interior, rim;
};
template <int D>
sweep_tiles<D> make_sweep_tiles(box<D> const& owned, box<D> const& at_hand,
                                ghost_width<D> const& ghosts);

} // namespace seam::detail
