#include <seam/stencil/space/ghosts.hpp>

#include <map>

namespace seam::detail {
namespace {

/// Calls visit with each direction that `offset` points into: every combination of the offset's
/// signs and zeros but for all zeros.
template <class Visit>
void for_each_direction(index3 const& offset, Visit visit) {
  for (unsigned chosen = 1; chosen < (1U << 3); ++chosen) {
    index3 direction{};
    bool exists = true;
    for (int a = 0; a < 3; ++a)
      if ((chosen >> a & 1U) != 0) {
        direction[a] = (offset[a] > 0) - (offset[a] < 0);
        exists = exists && offset[a] != 0;
      }
    if (exists)
      visit(direction);
  }
}

} // namespace

std::vector<ghost_side> ghost_sides(std::vector<index3> const& offsets) {
  std::map<index3, index3> direction2depth;
  for (index3 const& offset : offsets)
    for_each_direction(offset, [&](index3 const& direction) {
      index3& depth = direction2depth[direction];
      for (int a = 0; a < 3; ++a)
        depth[a] = std::max(depth[a], offset[a] * direction[a]);
    });
  std::vector<ghost_side> sides;
  for (auto const& [direction, depth] : direction2depth)
    sides.push_back({direction, depth});
  return sides;
}

ghost_width<3> width_of(std::vector<ghost_side> const& sides) {
  ghost_width<3> width;
  for (ghost_side const& side : sides)
    for (int a = 0; a < 3; ++a) {
      index3& end = side.direction[a] < 0 ? width.below : width.above;
      end[a] = std::max(end[a], side.depth[a]);
    }
  return width;
}

box3 ghosts_at(box3 const& block, ghost_side const& side) {
  box3 ghosts = block;
  for (int a = 0; a < 3; ++a)
    if (side.direction[a] < 0) {
      ghosts.lo[a] = block.lo[a] - side.depth[a];
      ghosts.hi[a] = block.lo[a];
    } else if (side.direction[a] > 0) {
      ghosts.lo[a] = block.hi[a];
      ghosts.hi[a] = block.hi[a] + side.depth[a];
    }
  return ghosts;
}

box3 rim_for(box3 const& block, ghost_side const& side) {
  box3 rim = block;
  for (int a = 0; a < 3; ++a)
    if (side.direction[a] < 0)
      rim.lo[a] = block.hi[a] - side.depth[a];
    else if (side.direction[a] > 0)
      rim.hi[a] = block.lo[a] + side.depth[a];
  return rim;
}

} // namespace seam::detail
