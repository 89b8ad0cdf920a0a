// The bodies of Field's longer members; included by field.hpp alone.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/field.hpp>

#include <fmt/format.h>

namespace seam {
namespace detail {

/// The layout of a Kokkos view with these extents.
template <int D>
Kokkos::LayoutRight layout_of(cell_index<D> const& extents) {
  return std::apply([](auto... n) { return Kokkos::LayoutRight(static_cast<std::size_t>(n)...); },
                    extents);
}

} // namespace detail

template <class T, int D>
Field<T, D>::Field(Grid<D> grid, std::string name) {
  detail::call_scope const here("Field", *grid.base().calls());
  box<D> const local = grow(grid.owned(), grid.ghosts().below, grid.ghosts().above);
  storage_type storage(allocate<T>(grid.base(), local.num_cells()),
                       detail::layout_of<D>(local.extents()));
  state_ = std::make_shared<state>(state{std::move(name), std::move(grid), std::move(storage), {}});
  // The threads that will compute on the pages are the first to touch them.
  detail::parallel_for_cells("seam::zero", state_->view().local(),
                             [cells = state_->view()](cell_index<D> const& at) {
                               cells[at] = T{};
                             });
  for (border<D> const& where : borders_of(state_->grid))
    state_->borders.push_back({where, {}});
}

template <class T, int D>
field_view<T, D> Field<T, D>::state::view() const {
  detail::check_touch(name);
  box<D> const owned{{}, grid.owned().extents()};
  box<D> const local = grow(owned, grid.ghosts().below, grid.ghosts().above);
  std::int64_t first = 0, step = 1;
  for (int a = D - 1; a >= 0; --a) {
    first += grid.ghosts().below[a] * step;
    step *= local.extent(a);
  }
  return {storage.data() + first, local};
}

template <class T, int D>
void Field<T, D>::state::check_axis(int axis) const {
  if (axis < 0 || axis >= D)
    refuse(fmt::format("field '{}': a boundary condition on axis {} (expected 0 to {})", name, axis,
                       D - 1));
}

template <class T, int D>
void Field<T, D>::state::check_borders() const {
  for (auto const& [where, fill] : borders)
    if (!fill)
      refuse(
          fmt::format("field '{}': no boundary condition on the {} side of axis {} (expected one: "
                      "the grid is not periodic there and the neighborhood reaches across)",
                      name, where.side == side::low ? "low" : "high", where.axis));
}

} // namespace seam
