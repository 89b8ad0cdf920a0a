#include <seam/stencil/boundary.hpp>

namespace seam {
using namespace detail;

template <int D>
std::vector<border<D>> borders_of(Grid<D> const& grid) {
  std::vector<border<D>> borders;
  box<D> const owned{{}, grid.owned().extents()};
  box<D> const local = grow(owned, grid.ghosts().below, grid.ghosts().above);
  for (int axis = 0; axis < D; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    if (grid.is_periodic(axis))
      continue;
    box<D> low = local, high = local;
    low.hi[a] = owned.lo[a];
    high.lo[a] = owned.hi[a];
    if (grid.owned().lo[a] == 0 && !low.is_empty())
      borders.push_back({axis, side::low, low});
    if (grid.owned().hi[a] == grid.cells()[a] && !high.is_empty())
      borders.push_back({axis, side::high, high});
  }
  return borders;
}

template std::vector<border<1>> borders_of(Grid<1> const&);
template std::vector<border<2>> borders_of(Grid<2> const&);
template std::vector<border<3>> borders_of(Grid<3> const&);

} // namespace seam
