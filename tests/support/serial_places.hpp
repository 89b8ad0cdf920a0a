/// The places of a problem of steps: numbers of values, boxes, owners.
#pragma once

#include <support/step_problem.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace seam::testing {

/// The first value of a component of a field at a place.
inline double first_value(axis_entries cell, int field, int component) {
  cell[0] += 1000 * (field + 1);
  cell[1] += 77 * component;
  return first_value(cell);
}

class serial_places {
protected:
  /// @param problem  outlives this
  explicit serial_places(step_problem const& problem) : problem_(problem) {}

  problem_field const& field_of(int f) const { return problem_.fields[f]; }

  std::int64_t num_places(auto const& field) const {
    std::int64_t product = 1;
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      product *= problem_.extent(field, a);
    return product;
  }

  std::int64_t number(auto const& field, axis_entries const& place, int component) const {
    std::int64_t n = component;
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      n = n * problem_.extent(field, a) + place[a];
    return n;
  }

  template <class Visit>
  void for_each_place(auto const& field, Visit const& visit) const {
    axis_entries end{1, 1, 1}, at{};
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      end[a] = problem_.extent(field, a);
    for (at[0] = 0; at[0] < end[0]; ++at[0])
      for (at[1] = 0; at[1] < end[1]; ++at[1])
        for (at[2] = 0; at[2] < end[2]; ++at[2])
          visit(axis_entries(at));
  }

  static axis_entries moved(axis_entries place, axis_entries const& by, int sign = 1) {
    for (int a = 0; a < std::ssize(place); ++a)
      place[a] += sign * by[a];
    return place;
  }

  bool is_in_inner_box(problem_kernel const& kernel, axis_entries const& place) const {
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      if (place[a] < kernel.inner_lo[a] || place[a] >= kernel.inner_hi[a])
        return false;
    return true;
  }

  bool is_in_box(problem_kernel const& kernel, axis_entries const& place) const {
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      if (kernel.is_boxed && (place[a] < kernel.lo[a] || place[a] >= kernel.hi[a]))
        return false;
    return true;
  }

  /// Maps a place along periodic axes to the domain; false if it lies beyond a border.
  bool wrap(auto const& field, axis_entries& place) const {
    bool is_inside = true;
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      std::int64_t const n = problem_.extent(field, a);
      if (problem_.axes[a].is_periodic)
        place[a] = (place[a] % n + n) % n;
      is_inside = is_inside && place[a] >= 0 && place[a] < n;
    }
    return is_inside;
  }

  bool has_place(problem_field const& field, axis_entries const& place) const {
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      if (place[a] >= problem_.extent(field, a))
        return false;
    return true;
  }

  /// The numbers, on each axis, of the process that owns a place.
  std::array<std::int64_t, 3> owner_of(axis_entries const& place) const {
    std::array<std::int64_t, 3> owner{};
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      auto const [n, parts] = std::pair(problem_.axes[a].cells, problem_.axes[a].processes);
      std::int64_t const at = std::min(place[a], n - 1), small = n / parts, larger = n % parts;
      owner[a] = at < larger * (small + 1) ? at / (small + 1) : (at - larger) / small;
    }
    return owner;
  }

  step_problem const& problem_;
};

} // namespace seam::testing
