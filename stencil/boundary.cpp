#include <seam/stencil/boundary.hpp>

namespace seam {

template <int D>
std::vector<border<D>> borders_of(Grid<D> const& grid) {
  std::vector<border<D>> borders;
  box<D> const owned = grid.owned(), domain = grid.domain();
  for (int axis = 0; axis < D; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    if (grid.is_periodic(axis))
      continue;
    if (owned.lo[a] == domain.lo[a] && grid.ghosts().below[a] > 0)
      borders.push_back({axis, side::low, grid.ghosts().below[a]});
    if (owned.hi[a] == domain.hi[a] && grid.ghosts().above[a] > 0)
      borders.push_back({axis, side::high, grid.ghosts().above[a]});
  }
  return borders;
}

template std::vector<border<1>> borders_of(Grid<1> const&);
template std::vector<border<2>> borders_of(Grid<2> const&);
template std::vector<border<3>> borders_of(Grid<3> const&);

} // namespace seam
