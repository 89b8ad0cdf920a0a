#include <seam/stencil/detail/ghosts.hpp>

#include <map>

namespace seam::detail {
namespace {

/// Calls visit with each direction that `offset` points into: every combination of the offset's
/// signs and zeros but for all zeros.
template <int D, class Visit>
void for_each_direction(cell_index<D> const& offset, Visit visit) {
  for (unsigned chosen = 1; chosen < (1U << D); ++chosen) {
    cell_index<D> direction{};
    bool exists = true;
    for (int a = 0; a < D; ++a)
      if ((chosen >> a & 1U) != 0) {
        direction[a] = (offset[a] > 0) - (offset[a] < 0);
        exists = exists && offset[a] != 0;
      }
    if (exists)
      visit(direction);
  }
}

} // namespace

template <int D>
std::vector<ghost_side<D>> ghost_sides(std::vector<cell_index<D>> const& offsets) {
  std::map<cell_index<D>, cell_index<D>> direction2depth;
  for (cell_index<D> const& offset : offsets)
    for_each_direction<D>(offset, [&](cell_index<D> const& direction) {
      cell_index<D>& depth = direction2depth[direction];
      for (int a = 0; a < D; ++a)
        depth[a] = std::max(depth[a], offset[a] * direction[a]);
    });
  std::vector<ghost_side<D>> sides;
  for (auto const& [direction, depth] : direction2depth)
    sides.push_back({direction, depth});
  return sides;
}

template <int D>
ghost_width<D> width_of(std::vector<ghost_side<D>> const& sides) {
  ghost_width<D> width;
  for (ghost_side<D> const& side : sides)
    for (int a = 0; a < D; ++a) {
      cell_index<D>& end = side.direction[a] < 0 ? width.below : width.above;
      end[a] = std::max(end[a], side.depth[a]);
    }
  return width;
}

template <int D>
box<D> ghosts_at(box<D> const& block, ghost_side<D> const& side) {
  box<D> ghosts = block;
  for (int a = 0; a < D; ++a)
    if (side.direction[a] < 0) {
      ghosts.lo[a] = block.lo[a] - side.depth[a];
      ghosts.hi[a] = block.lo[a];
    } else if (side.direction[a] > 0) {
      ghosts.lo[a] = block.hi[a];
      ghosts.hi[a] = block.hi[a] + side.depth[a];
    }
  return ghosts;
}

template <int D>
box<D> rim_for(box<D> const& block, ghost_side<D> const& side) {
  box<D> rim = block;
  for (int a = 0; a < D; ++a)
    if (side.direction[a] < 0)
      rim.lo[a] = block.hi[a] - side.depth[a];
    else if (side.direction[a] > 0)
      rim.hi[a] = block.lo[a] + side.depth[a];
  return rim;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template std::vector<ghost_side<D>> ghost_sides(std::vector<cell_index<D>> const&);              \
  template ghost_width<D> width_of(std::vector<ghost_side<D>> const&);                             \
  template box<D> ghosts_at(box<D> const&, ghost_side<D> const&);                                  \
  template box<D> rim_for(box<D> const&, ghost_side<D> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail
