/// Ghosts: the copies of other blocks' cells that a block needs for a neighborhood.
///
/// The cells around a block fall into 3^D - 1 sides, one for each direction in {-1, 0, 1}^D. A
/// neighborhood needs, at each side, the layers that its offsets reach:
///
///     (-1,-1) (-1,0) (-1,1)        offsets (-2,0) and (-1,1): side (-1,0) is two layers deep, side
///     ( 0,-1) block  ( 0,1)        (-1,1) is one by one, side (0,1) is one layer deep, and the
///     ( 1,-1) ( 1,0) ( 1,1)        others are not needed.
#pragma once

#include <seam/mapping/neighborhood.hpp>
#include <seam/stencil/box.hpp>

#include <vector>

namespace seam::detail {

/// One side of a block that a neighborhood reaches into.
template <int D>
struct ghost_side {
  cell_index<D> direction{}; ///< -1, 0 or 1 on each axis
  cell_index<D> depth{};     ///< layers on the axes where direction is not 0, else 0 [cells]
};

/// The sides that `offsets` reach into, in lexicographic order of their directions, each as deep as
/// the farthest offset into it. Corners follow from the offsets and are not listed.
/// Local.
template <int D>
std::vector<ghost_side<D>> ghost_sides(std::vector<cell_index<D>> const& offsets);

/// Layers around a block on the low and high end of each axis: the depth of the deepest side.
template <int D>
struct ghost_width {
  cell_index<D> below{}, above{};

  /// The larger of both ends on `axis`.
  std::int64_t of(int axis) const { return std::max(below[axis], above[axis]); }
};

template <int D>
ghost_width<D> width_of(std::vector<ghost_side<D>> const& sides);

/// The ghost cells at `side` of `block`.
/// Local.
template <int D>
box<D> ghosts_at(box<D> const& block, ghost_side<D> const& side);

/// The cells of `block` that are ghosts at `side` of the block that lies opposite: the cells
/// nearest to the end that `side` points away from.
/// Local.
template <int D>
box<D> rim_for(box<D> const& block, ghost_side<D> const& side);

} // namespace seam::detail
