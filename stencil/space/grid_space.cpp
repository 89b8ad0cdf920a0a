#include <seam/stencil/space/grid_space.hpp>

#include <utility>

namespace seam::detail {

grid_space::grid_space(space_options options, Communicator base)
    : step_space(std::move(base)),
      options_(std::move(options)),
      sides_(ghost_sides(options_.offsets)),
      ghosts_(width_of(sides_)),
      naming_(size(), std::vector<int>(processes().begin(), processes().end()),
              std::vector<bool>(options_.periodic.begin(), options_.periodic.end())),
      owned_(owned_by(rank())) {
  for (int a = 0; a < 3; ++a)
    spacing_[a] = (options_.upper[a] - options_.lower[a]) / static_cast<double>(cells()[a]);
}

box3 grid_space::values_at(box3 places, centering on) const {
  box3 const all = domain(on);
  for (int a = 0; a < 3; ++a)
    if (!is_periodic(a)) {
      places.lo[a] = std::max(places.lo[a], all.lo[a]);
      places.hi[a] = std::min(places.hi[a], all.hi[a]);
    }
  return places;
}

box3 grid_space::owned_by(int rank, centering on) const {
  auto const coordinates = naming_.coordinates(rank);
  box3 block;
  for (int a = 0; a < 3; ++a) {
    block.lo[a] = first_cell_of(cells()[a], processes()[a], coordinates[a]);
    block.hi[a] = first_cell_of(cells()[a], processes()[a], coordinates[a] + 1);
  }
  return values_on(block, on);
}

/// The values that lie on `cells`: on the high border of the domain one layer more.
box3 grid_space::values_on(box3 cells, centering on) const {
  for (int a = first_axis(); a < 3; ++a)
    if (is_low(on, a) && !is_periodic(a) && cells.hi[a] == options_.cells[a])
      ++cells.hi[a];
  return cells;
}

} // namespace seam::detail
