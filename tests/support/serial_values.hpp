/// The values of a program of steps on plain arrays of the whole domain. Values beyond a border are
/// computed from their definition each time they are read.
#pragma once

#include <support/acted_features.hpp>
#include <support/serial_places.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace seam::testing {

template <class T>
class serial_values : protected serial_places {
public:
  /// [components][places]
  std::vector<T> const& values(int field, int level) const { return levels_[field][level]; }
  double value(int v) const { return values_[v]; }

  /// What has acted until now; the library's choice of fusion is not known here.
  acted_features const& acted() const { return acted_; }

protected:
  explicit serial_values(step_problem const& problem) : serial_places(problem) {
    for (int f = 0; f < std::ssize(problem.fields); ++f) {
      problem_field const& field = problem.fields[f];
      levels_.emplace_back(field.levels);
      for (auto& level : levels_.back())
        level.resize(field.components * num_places(field));
      for_each_place(field, [&](axis_entries const& place) {
        for (int c = 0; c < field.components; ++c)
          for (int l = 0; l < field.levels; ++l)
            levels_[f][l][number(field, place, c)] =
                stored<T>(first_value(place, f, c) + 0.125 * l);
      });
    }
  }

  /// The value at a place inside or outside of the domain. Periodic axes wrap. A place beyond
  /// several borders has the value of the border of the last axis; its mirror image lies beyond the
  /// others.
  T at(int f, std::vector<T> const& values, int component, axis_entries place) const {
    problem_field const& field = field_of(f);
    acted_.note(feature::lent, field.is_lent);
    for (int a = 0; a < std::ssize(problem_.axes); ++a)
      if (std::int64_t const n = problem_.axes[a].cells; problem_.axes[a].is_periodic) {
        acted_.note(feature::thin_axis, place[a] < -n || place[a] >= 2 * n);
        place[a] = (place[a] % n + n) % n;
      }
    for (int a = std::ssize(problem_.axes); a-- > 0;) {
      bool const is_low = (field.low_axes >> a & 1U) != 0;
      std::int64_t const n = problem_.extent(field, a);
      if (place[a] < 0)
        return beyond(f, values, component, place, a, is_low ? -place[a] : -1 - place[a], 0);
      if (place[a] >= n)
        return beyond(f, values, component, place, a, 2 * n - (is_low ? 2 : 1) - place[a], 1);
    }
    acted_.note(feature::ranks, problem_.ranks > 1 && owner_of(place) != owner_of(here_));
    return values[number(field, place, component)];
  }

  T beyond(int f, std::vector<T> const& values, int component, axis_entries const& place, int axis,
           std::int64_t mirror, int end) const {
    bool const is_own = running_->bordered == f && running_->has_own[axis][end];
    problem_borders const& all = is_own ? running_->own_borders : field_of(f);
    int const from = is_own || !is_turned_ ? end : 1 - end;
    border_condition const& border = all.borders[axis][from];
    acted_.note(feature::own_borders, is_own);
    acted_.note(feature::turned, !is_own && is_turned_);
    acted_.note(feature::far_border, border.sees >= 0);
    axis_entries image = place;
    image[axis] = mirror;
    T const inside = at(f, values, component, image);
    T const near = beyond_by_mirror(f, values, place, axis, mirror, all, from, inside);
    if (border.sees < 0)
      return near;
    double sum = static_cast<double>(near);
    for (int n = 0; n <= border.sees; ++n) {
      image[axis] = end == 0 ? n : problem_.extent(field_of(f), axis) - 1 - n;
      sum += of_value_inside(n, static_cast<double>(at(f, values, component, image)));
    }
    return static_cast<T>(sum);
  }

  /// The part of a ghost's value that the mirror image makes, of the value `inside`.
  T beyond_by_mirror(int f, std::vector<T> const& values, axis_entries const& place, int axis,
                     std::int64_t mirror, problem_borders const& all, int from, T inside) const {
    border_condition const& border = all.borders[axis][from];
    if (problem_source const& source = all.sources[axis][from]; source.is_used()) {
      acted_.note(feature::beside, source.field >= 0);
      acted_.note(feature::time, source.takes_time && problem_.time >= 0);
      acted_.note(feature::held, source.held >= 0);
      return static_cast<T>(condition_beside(
          source.is_of_time_alone() ? 0.0 : border.value, inside,
          source.field < 0 ? 0.0
                           : static_cast<double>(beside(f, &values == &before_, source, place)),
          source.takes_time && problem_.time >= 0 ? value(problem_.time) : 0.0,
          source.held < 0 ? 0.0 : value(source.held)));
    }
    return value_beyond(border, inside, place, axis, mirror,
                        std::span<problem_axis const>(problem_.axes), field_of(f).low_axes);
  }

  /// The value of another field that a condition reads for the ghost at a place: that of the place
  /// which is left when the ghost is mirrored at every border that it lies beyond.
  T beside(int f, bool is_before, problem_source const& source, axis_entries place) const {
    problem_field const& other = field_of(source.field);
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      std::int64_t const n = problem_.extent(other, a);
      bool const is_low = (other.low_axes >> a & 1U) != 0;
      if (problem_.axes[a].is_periodic)
        place[a] = (place[a] % n + n) % n;
      else if (place[a] < 0)
        place[a] = is_low ? -place[a] : -1 - place[a];
      else if (place[a] >= n)
        place[a] = 2 * n - (is_low ? 2 : 1) - place[a];
    }
    auto const& values = is_before && source.field == f ? before_ : levels_[source.field][0];
    return values[number(other, place, source.component)];
  }

  std::vector<std::vector<std::vector<T>>> levels_; ///< [fields][levels][components, places]
  std::vector<T> before_; ///< of the field that a kernel changes in order, before it
  std::array<double, step_problem::num_values> values_{0.5, -0.25};
  bool is_turned_ = false; ///< borders have the opposite ones' conditions
  problem_kernel const* running_ = nullptr;
  axis_entries here_{}; ///< the place for which the kernel computes
  mutable acted_features acted_;
};

} // namespace seam::testing
