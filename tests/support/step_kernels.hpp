/// The kernels of drawn step programs, as calls of the library under test: what serial_steps computes
/// with plain loops, they compute with views.
#pragma once

#include <seam/stencil/roles/steps.hpp>

#include <support/step_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace seam::testing {

/// The range of offsets, if they are all of a box.
template <int D>
stencil stencil_of(std::vector<axis_entries> const& list) {
  std::vector<std::vector<int>> offsets;
  from_to ends[3] = {};
  std::size_t volume = 1;
  for (axis_entries const& offset : list)
    offsets.emplace_back(offset.begin(), offset.begin() + D);
  for (int a = 0; a < D && !list.empty(); ++a) {
    auto const by_entry = [a](auto const& one, auto const& other) { return one[a] < other[a]; };
    auto const [least, most] = std::ranges::minmax_element(offsets, by_entry);
    ends[a] = {(*least)[a], (*most)[a]};
    volume *= static_cast<std::size_t>(ends[a].to - ends[a].from + 1);
  }
  if (list.empty() || volume != list.size())
    return at(offsets);
  if constexpr (D == 1)
    return range(ends[0]);
  else if constexpr (D == 2)
    return range(ends[0], ends[1]);
  else
    return range(ends[0], ends[1], ends[2]);
}

/// The offsets of a read, for each of its lists.
template <int D>
std::vector<stencil> stencils_of(problem_read const& read) {
  std::vector<stencil> all;
  for (auto const& list : read.lists)
    all.push_back(stencil_of<D>(list));
  return all;
}

/// view(offset) with the entries of an array.
template <int D, class View>
auto at_offset(View const& view, axis_entries const& offset) {
  if constexpr (D == 1)
    return view(offset[0]);
  else if constexpr (D == 2)
    return view(offset[0], offset[1]);
  else
    return view(offset[0], offset[1], offset[2]);
}

/// The sums of a kernel, as serial_steps has them.
template <int D>
struct kernel_sums {
  problem_kernel const* kernel;  ///< of a problem that outlives this
  std::array<int, 2> components; ///< of the fields that are read

  template <class View>
  void add(double& sum, int r, View const& view, double scale) const {
    problem_read const& read = kernel->reads[r];
    if (read.field < 0)
      return;
    for (int c = 0; c < components[r]; ++c) {
      auto const& list = read.lists[c % read.lists.size()];
      for (int s = 0; s < std::ssize(list); ++s)
        sum += read.coefficient * scale * (1.0 + 0.25 * static_cast<double>(s)) *
               static_cast<double>(at_offset<D>(view[c], list[s]));
    }
  }

  double of_others(int c, auto const& first, auto const& second) const {
    double sum = 0;
    add(sum, 0, first, 1.0 + 0.5 * c);
    add(sum, 1, second, 1.0 + 0.5 * c);
    return sum;
  }

  /// Writes value_of(c) of each component, and returns the first.
  template <class T>
  T write(auto const& to, auto const& value_of) const {
    T first{};
    for (int c = 0; c < kernel->count; ++c) {
      T const made = value_of(c);
      to[c] = made;
      first = c == 0 ? made : first;
    }
    return first;
  }

  template <class View>
  double with_own(double sum, int c, View const& own) const {
    for (int s = 0; s < std::ssize(kernel->own.lists[0]); ++s)
      sum += kernel->own.coefficient * (1.0 + 0.25 * static_cast<double>(s)) *
             static_cast<double>(at_offset<D>(own[c], kernel->own.lists[0][s]));
    return sum;
  }
};

/// Contributes what a kernel has written to all values that it reduces into.
void contribute(double written, auto least, auto most, auto total, auto number) {
  double const value = contribution(written);
  least(value);
  most(value);
  total(value);
  number(1);
}

/// A kernel that contributes what another one returns.
auto and_contribute(auto const& compute) {
  return
      [compute](auto to, auto a, auto b, double v, auto least, auto most, auto total, auto number) {
        contribute(static_cast<double>(compute(to, a, b, v)), least, most, total, number);
      };
}

template <class View>
inline constexpr bool only_writes = false;
template <class T, int D, class Watch>
inline constexpr bool only_writes<writer<T, D, Watch>> = true;

/// A kernel with two roles for components of one field: one that updates, and another one.
template <class T, int D>
struct kernel_of_two_roles {
  kernel_sums<D> sums;

  T compute_first(auto const& to, auto const& a, auto const& b, double v) const {
    return sums.template write<T>(to, [&](int c) {
      double sum = sums.of_others(c, a, b);
      if constexpr (!only_writes<std::remove_cvref_t<decltype(to)>>)
        sum = sums.with_own(sum, c, to);
      return stored<T>(sum + sums.kernel->of_value * v);
    });
  }
  void compute_second(auto const& to, auto const& a, auto const& b) const {
    for (int c = 0; c < sums.kernel->second.count; ++c) {
      double old = 0;
      if constexpr (!only_writes<std::remove_cvref_t<decltype(to)>>)
        old = static_cast<double>(at_offset<D>(to[c], {}));
      to[c] = stored<T>(second_value(sums.of_others(c, a, b), old));
    }
  }
  void operator()(auto updated, auto other, auto a, auto b, double v, auto least, auto most,
                  auto total, auto number) const {
    bool const is_first = sums.kernel->kind == kernel_kind::updates;
    T first{};
    if (is_first) {
      first = compute_first(updated, a, b, v);
      compute_second(other, a, b);
    } else {
      first = compute_first(other, a, b, v);
      compute_second(updated, a, b);
    }
    contribute(static_cast<double>(first), least, most, total, number);
  }
};

/// A kernel that writes two fields.
template <class T, int D>
struct kernel_of_two_fields {
  kernel_sums<D> sums;

  void operator()(auto to, auto beside, auto a, auto b, double v) const {
    sums.template write<T>(to, [&](int c) {
      double sum = sums.of_others(c, a, b);
      if constexpr (!only_writes<std::remove_cvref_t<decltype(to)>>)
        sum = sums.with_own(sum, c, to);
      return stored<T>(sum + sums.kernel->of_value * v);
    });
    double old = 0;
    if constexpr (!only_writes<std::remove_cvref_t<decltype(beside)>>)
      old = static_cast<double>(at_offset<D>(beside[0], {}));
    beside[0] = stored<T>(second_value(sums.of_others(0, a, b), old));
  }
};

} // namespace seam::testing
