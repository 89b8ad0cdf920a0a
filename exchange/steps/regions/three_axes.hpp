/// Three axes: how planners see the boxes and indices of every grid. The axes that a grid lacks come
/// first and hold the index 0 alone, so that rows stay rows:
///
///     box<2>{{0, 3}, {2, 8}}     is     box3{{0, 0, 3}, {1, 2, 8}}
#pragma once

#include <seam/exchange/steps/regions/box.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seam::detail {

using index3 = cell_index<3>;
using box3 = box<3>;

/// The first cell of part `part` of `num_parts`, on an axis of `cells` cells. Parts differ by one
/// cell at most, the larger ones come first; part == num_parts gives the number of cells.
constexpr std::int64_t first_cell_of(std::int64_t cells, int num_parts, int part) {
  return part * (cells / num_parts) + std::min<std::int64_t>(part, cells % num_parts);
}

/// The quotient, rounded down, and what it leaves, for a positive divisor.
constexpr std::int64_t floor_divide(std::int64_t number, std::int64_t by) {
  return number >= 0 ? number / by : -((-number + by - 1) / by);
}
constexpr std::int64_t floor_modulo(std::int64_t number, std::int64_t by) {
  return number - floor_divide(number, by) * by;
}

inline index3 negated(index3 by) {
  for (auto& step : by)
    step = -step;
  return by;
}

/// The axis of three that a grid of D axes knows by the number `axis`.
template <int D>
constexpr int padded_axis(int axis) {
  return axis + 3 - D;
}

/// Values for each axis of a grid, with `value` for those that it lacks.
template <class T, std::size_t N>
std::array<T, 3> padded(std::array<T, N> const& values, T value = T{}) {
  std::array<T, 3> all;
  all.fill(value);
  std::ranges::copy(values, all.end() - N);
  return all;
}

template <int D>
box3 padded(box<D> const& all) {
  return {padded(all.lo), padded(all.hi, std::int64_t{1})};
}

/// The inverse of padded().
template <int D, class T>
std::array<T, static_cast<std::size_t>(D)> unpadded(std::array<T, 3> const& values) {
  std::array<T, static_cast<std::size_t>(D)> made;
  std::copy(values.end() - D, values.end(), made.begin());
  return made;
}

template <int D>
box<D> unpadded(box3 const& all) {
  return {unpadded<D>(all.lo), unpadded<D>(all.hi)};
}

/// The entries for the axes that a grid has, for messages.
template <class T>
std::span<T const> last_entries(std::array<T, 3> const& values, int num_axes) {
  return std::span(values).last(static_cast<std::size_t>(num_axes));
}

} // namespace seam::detail
