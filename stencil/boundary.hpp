/// Boundary conditions: what ghosts beyond a border of the domain hold, where it is not periodic.
///
/// A condition is a function of one ghost cell. Its argument tells where the ghost is and what the
/// cell holds that lies as deep inside the domain as the ghost lies outside (its mirror image):
///
///     mirror  | inside |  ||  | ghost |        the domain's border: ||
///                 distance ------>
///
/// On each axis in turn all ghosts along the border are filled, those at corners from ghosts filled
/// before; so corners are defined whatever the conditions on their two or three sides.
#pragma once

#include <seam/stencil/field_view.hpp>
#include <seam/stencil/grid.hpp>
#include <seam/stencil/parallel.hpp>

#include <cmath>
#include <concepts>
#include <vector>

namespace seam {

/// The two ends of an axis.
enum class side { low, high };

/// One ghost cell beyond the border, as a boundary condition sees it.
template <class T, int D>
struct ghost_cell {
  T inside;           ///< value of the mirror image
  position<D> centre; ///< of the ghost [unit of length]
  position<D> border; ///< half way between the ghost and its mirror image [unit of length]
  double distance;    ///< from the mirror image's centre to the ghost's [unit of length]
};

namespace detail {

/// `value` itself, or what it returns for a place.
template <int D, class Value>
auto value_at(Value const& value, position<D> const& place) {
  if constexpr (std::invocable<Value const&, position<D> const&>)
    return value(place);
  else
    return value;
}

} // namespace detail

/// The field equals `value` on the border; the ghost extrapolates linearly (second order).
/// @param value  a number, or a function of the position on the border
template <class Value>
auto dirichlet(Value value) {
  return [value]<class T, int D>(ghost_cell<T, D> const& ghost) {
    return static_cast<T>(2 * detail::value_at<D>(value, ghost.border) - ghost.inside);
  };
}

/// The field's derivative along the outward normal equals `slope` on the border (second order).
/// @param slope  a number, or a function of the position on the border
template <class Value>
auto neumann(Value slope) {
  return [slope]<class T, int D>(ghost_cell<T, D> const& ghost) {
    return static_cast<T>(ghost.inside + ghost.distance * detail::value_at<D>(slope, ghost.border));
  };
}

/// The ghosts themselves hold `value`: the world outside is given.
/// @param value  a number, or a function of the position of the ghost's centre
template <class Value>
auto outside(Value value) {
  return [value]<class T, int D>(ghost_cell<T, D> const& ghost) {
    return static_cast<T>(detail::value_at<D>(value, ghost.centre));
  };
}

/// A border of a grid's block, and what is needed to fill the ghosts beyond it.
template <int D>
struct border {
  int axis;
  seam::side side;
  std::int64_t depth; ///< ghost layers beyond it [cells]
};

/// The borders of the domain that `grid`'s block touches and that are not periodic, in the order in
/// which their ghosts are filled. Local.
template <int D>
std::vector<border<D>> borders_of(Grid<D> const& grid);

/// Fills the ghosts of `cells` beyond `where`, over the whole breadth of the local block.
///
/// @param cells      the local block of a field on `grid`
/// @param condition  maps a ghost_cell<T, D> to a T
/// Local. Threads: runs on Kokkos' host threads, to be called by one.
template <class T, int D, class Condition>
void fill_border(Grid<D> const& grid, field_view<T, D> const& cells, border<D> const& where,
                 Condition const& condition) {
  auto const a = static_cast<std::size_t>(where.axis);
  cell_geometry<D> const geometry = grid.geometry();
  cell_index<D> const first = grid.owned().lo;
  bool const low = where.side == side::low;
  std::int64_t const end = low ? 0 : grid.owned().extent(where.axis);
  box<D> ghosts = cells.local();
  ghosts.lo[a] = low ? -where.depth : end;
  ghosts.hi[a] = low ? 0 : end + where.depth;
  parallel_for_cells("seam::borders", ghosts, [=](cell_index<D> const& at) {
    cell_index<D> mirror = at;
    mirror[a] = 2 * end - 1 - at[a];
    cell_index<D> global = at;
    for (std::size_t b = 0; b < at.size(); ++b)
      global[b] += first[b];
    ghost_cell<T, D> ghost{.inside = cells[mirror],
                           .centre = geometry.centre(global),
                           .border = geometry.centre(global),
                           .distance = 0};
    double const steps = 0.5 * static_cast<double>(mirror[a] - at[a]);
    ghost.border[a] += steps * geometry.spacing[a];
    ghost.distance = 2 * std::abs(steps) * geometry.spacing[a];
    cells[at] = condition(ghost);
  });
}

} // namespace seam
