/// Boxes of cell indices: half-open, in any number of dimensions, slowest axis first.
///
///     box<2>{{0, 0}, {2, 3}}   holds (0,0) (0,1) (0,2) (1,0) (1,1) (1,2)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seam {

/// One number for each axis: an index, an extent, a width.
template <int D>
using cell_index = std::array<std::int64_t, static_cast<std::size_t>(D)>;

/// The cells c with lo[a] <= c[a] < hi[a] on every axis a.
template <int D>
struct box {
  cell_index<D> lo{}, hi{};

  std::int64_t extent(int axis) const noexcept {
    return std::max<std::int64_t>(0, hi[axis] - lo[axis]);
  }
  cell_index<D> extents() const noexcept {
    cell_index<D> all{};
    for (int a = 0; a < D; ++a)
      all[a] = extent(a);
    return all;
  }
  std::int64_t num_cells() const noexcept {
    std::int64_t product = 1;
    for (int a = 0; a < D; ++a)
      product *= extent(a);
    return product;
  }
  bool is_empty() const noexcept { return num_cells() == 0; }

  bool contains(cell_index<D> const& cell) const noexcept {
    for (int a = 0; a < D; ++a)
      if (cell[a] < lo[a] || cell[a] >= hi[a])
        return false;
    return true;
  }

  friend bool operator==(box const&, box const&) = default;
};

/// `all` without `below` layers at the low end and `above` at the high end of every axis; empty
/// where nothing is left.
template <int D>
box<D> shrink(box<D> all, cell_index<D> const& below, cell_index<D> const& above) {
  for (int a = 0; a < D; ++a) {
    all.lo[a] += below[a];
    all.hi[a] = std::max(all.lo[a], all.hi[a] - above[a]);
  }
  return all;
}

/// `all` with `below` more layers at the low end and `above` more at the high end of every axis.
template <int D>
box<D> grow(box<D> all, cell_index<D> const& below, cell_index<D> const& above) {
  for (int a = 0; a < D; ++a) {
    all.lo[a] -= below[a];
    all.hi[a] += above[a];
  }
  return all;
}

/// `all` moved by `by`.
template <int D>
box<D> shift(box<D> all, cell_index<D> const& by) {
  for (int a = 0; a < D; ++a) {
    all.lo[a] += by[a];
    all.hi[a] += by[a];
  }
  return all;
}

/// The cells that are in both boxes.
template <int D>
box<D> intersection(box<D> const& first, box<D> const& second) {
  box<D> both;
  for (int a = 0; a < D; ++a) {
    both.lo[a] = std::max(first.lo[a], second.lo[a]);
    both.hi[a] = std::max(both.lo[a], std::min(first.hi[a], second.hi[a]));
  }
  return both;
}

/// The smallest box that holds both; one of them if the other is empty.
template <int D>
box<D> hull(box<D> const& first, box<D> const& second) {
  if (first.is_empty())
    return second;
  if (second.is_empty())
    return first;
  box<D> both = first;
  for (int a = 0; a < D; ++a) {
    both.lo[a] = std::min(both.lo[a], second.lo[a]);
    both.hi[a] = std::max(both.hi[a], second.hi[a]);
  }
  return both;
}

/// The slices of a box along one axis.
template <int D>
struct box_slices {
  box<D> below, within, above;
};

/// Cuts `all` across an axis into the cells below `lo`, those from `lo` to before `hi`, and those from
/// `hi` on. `lo` is at most `hi`; slices may be empty.
template <int D>
box_slices<D> slices_of(box<D> const& all, int axis, std::int64_t lo, std::int64_t hi) {
  auto const in_box = [&](std::int64_t at) {
    return std::max(all.lo[axis], std::min(all.hi[axis], at));
  };
  box_slices<D> slices{all, all, all};
  slices.below.hi[axis] = slices.within.lo[axis] = in_box(lo);
  slices.within.hi[axis] = slices.above.lo[axis] = in_box(hi);
  return slices;
}

/// The cells of `all` that are not in `hole`, as disjoint boxes. `hole` lies inside `all`.
template <int D>
std::vector<box<D>> difference(box<D> all, box<D> const& hole) {
  if (hole.is_empty())
    return {all};
  std::vector<box<D>> rest;
  for (int a = 0; a < D; ++a) {
    box_slices<D> const slices = slices_of(all, a, hole.lo[a], hole.hi[a]);
    if (!slices.below.is_empty())
      rest.push_back(slices.below);
    if (!slices.above.is_empty())
      rest.push_back(slices.above);
    all = slices.within;
  }
  return rest;
}

namespace detail {

/// The number of a cell of `all` in memory order.
template <int D>
std::int64_t number_in(cell_index<D> const& at, box<D> const& all) {
  std::int64_t number = 0;
  for (int a = 0; a < D; ++a)
    number = number * all.extent(a) + at[a] - all.lo[a];
  return number;
}

template <int Axis, int D, class Visit>
void for_each_row_from(box<D> const& cells, cell_index<D>& at, Visit& visit) {
  if constexpr (Axis + 1 == D) {
    at[Axis] = cells.lo[Axis];
    visit(std::as_const(at), cells.hi[Axis]);
  } else {
    for (std::int64_t i = cells.lo[Axis]; i < cells.hi[Axis]; ++i) {
      at[Axis] = i;
      for_each_row_from<Axis + 1>(cells, at, visit);
    }
  }
}

} // namespace detail

/// Calls visit(first, end) for each row of cells along the last axis: `first` is the row's first
/// cell, `end` the index on the last axis behind its last cell. In memory order.
template <int D, class Visit>
void for_each_row(box<D> const& cells, Visit visit) {
  if (cells.is_empty())
    return;
  cell_index<D> at{};
  detail::for_each_row_from<0>(cells, at, visit);
}

/// Calls visit(cell) for each cell in memory order.
template <int D, class Visit>
void for_each_cell(box<D> const& cells, Visit visit) {
  for_each_row(cells, [&](cell_index<D> cell, std::int64_t end) {
    for (; cell[D - 1] < end; ++cell[D - 1])
      visit(std::as_const(cell));
  });
}

} // namespace seam
