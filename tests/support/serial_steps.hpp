/// A program of steps carried out serially on plain arrays of the whole domain, without ghosts,
/// blocks, messages, second buffers or the library under test.
#pragma once

#include <support/exact_oracle.hpp>
#include <support/serial_values.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace seam::testing {

template <class T>
class serial_steps : public serial_values<T> {
  using base = serial_values<T>;

public:
  using base::value;

  explicit serial_steps(step_problem const& problem)
      : base(problem),
        extremes_(problem.kernels.size()),
        reduced_(problem.kernels.size(), first_extreme) {
    for (problem_mask const& mask : problem.masks) {
      masks_.emplace_back(num_places(mask));
      for_each_place(mask, [&](axis_entries const& place) {
        masks_.back()[number(mask, place, 0)] = mask.is_set(place, problem.axes.size());
      });
    }
    for (int k = 0; k < std::ssize(problem.kernels); ++k)
      if (problem.kernels[k].reduction == 3)
        reduced_[k] = 0;
  }

  /// Steps of both programs, and the changes behind them.
  void run(int steps) {
    if (problem_.until >= 0)
      run_until(done_ + steps);
    else
      run_first(steps);
    acted_.note(feature::by_hand, steps > 0 && is_changed_);
    acted_.note(feature::second_program,
                steps > 0 && problem_.first_program < std::ssize(problem_.kernels));
    for (int s = 0; s < steps; ++s)
      run_kernels(problem_.first_program, problem_.kernels.size(), done_second_++);
    if (problem_.is_changed_by_hand)
      change_by_hand();
    is_changed_ = problem_.is_changed_by_hand;
    is_turned_ = is_turned_ != problem_.turns_borders;
  }

private:
  using base::acted_, base::at, base::before_, base::field_of, base::for_each_place,
      base::has_place, base::here_, base::is_in_box, base::is_in_inner_box, base::is_turned_,
      base::levels_, base::moved, base::num_places, base::number, base::problem_, base::running_,
      base::values_, base::wrap;

  /// A step of the first program, which moves the masks.
  void step() {
    for (int m = 0; m < std::ssize(masks_); ++m)
      if (problem_.masks[m].moves)
        move(problem_.masks[m], masks_[m]);
    run_kernels(0, problem_.first_program, done_++);
  }

  /// Steps of the first program without a look at values between them.
  void run_first(std::int64_t steps) {
    acted_.note(feature::fused, problem_.fused > 1 && steps >= problem_.fused);
    for (std::int64_t s = 0; s < steps; ++s)
      step();
  }

  /// Steps of the first program until its value ends them, or `most` of all are done.
  void run_until(std::int64_t most) {
    for (int const every = problem_.check_every;;) {
      if (done_ % every == 0 && ends_run(value(problem_.until)))
        return acted_.note(feature::until, done_ > 0);
      if (done_ >= most)
        return;
      run_first(std::min(every - done_ % every, most - done_));
    }
  }

  /// Changes the newest level of all fields.
  void change_by_hand() {
    for (int f = 0; f < std::ssize(levels_); ++f)
      for_each_place(field_of(f), [&](axis_entries const& place) {
        for (int c = 0; c < field_of(f).components; ++c) {
          T& changed = levels_[f][0][number(field_of(f), place, c)];
          changed = changed_by_hand(changed, first_value(place, f, c));
        }
      });
  }

  /// A value, and the lowest place where it is.
  struct extreme {
    double value = first_extreme;
    axis_entries index{-1, -1, -1};
  };

  void run_kernels(int begin, int end, std::int64_t step) {
    for (int k = begin; k < end; ++k)
      if (problem_kernel const& kernel = problem_.kernels[k]; kernel.kind == kernel_kind::swaps) {
        std::swap(levels_[kernel.field][0], levels_[kernel.swapped][0]);
        acted_.note(feature::swap);
      } else if (kernel.kind == kernel_kind::sets)
        values_[kernel.reduces] =
            next_value(value(kernel.reduces), value(kernel.value), kernel.of_value);
      else {
        if (step % kernel.every == kernel.phase) {
          acted_.note(feature::phase, kernel.phase > 0);
          run_all_colors(kernel);
        }
        if (kernel.is_located)
          values_[kernel.value] = of_location(
              extremes_[k].value, std::span(extremes_[k].index).first(problem_.axes.size()));
        if (kernel.is_taken)
          values_[kernel.reduces] = taken(reduced_[k]);
      }
  }

  void run_all_colors(problem_kernel const& kernel) {
    terms_.clear();
    num_inside_ = num_elsewhere_ = 0;
    acted_.note(feature::profiled, problem_.is_profiled);
    acted_.note(feature::bare, !problem_.is_checked);
    acted_.note(feature::colors, kernel.colors > 1);
    acted_.note(feature::two_roles, kernel.second.count > 0);
    acted_.note(feature::lent, problem_.fields[kernel.field].is_lent);
    for (int color = 0; color < kernel.colors; ++color)
      run(kernel, color);
    if (kernel.kind != kernel_kind::reduces && kernel.reduces >= 0)
      (kernel.is_taken ? reduced_[&kernel - problem_.kernels.data()] : values_[kernel.reduces]) =
          reduced(kernel);
  }

  /// The sum that a kernel computes at a place for component `c` of its field.
  double sum_at(problem_kernel const& kernel, axis_entries const& place, int c) const {
    double sum = 0;
    for (problem_read const& read : kernel.reads)
      add(sum, read, place, 1.0 + 0.5 * c);
    if (kernel.kind == kernel_kind::updates || kernel.kind == kernel_kind::modifies)
      for (int s = 0; s < std::ssize(kernel.own.lists[0]); ++s)
        sum += kernel.own.coefficient * (1.0 + 0.25 * static_cast<double>(s)) *
               static_cast<double>(own_at(kernel, c, moved(place, kernel.own.lists[0][s])));
    sum += kernel.of_value * (kernel.kind == kernel_kind::reduces ? 0.0 : value(kernel.value));
    if (!kernel.is_by_place)
      return sum;
    bool const is_inside = is_in_inner_box(kernel, place);
    ++(is_inside ? num_inside_ : num_elsewhere_);
    acted_.note(feature::by_place, num_inside_ > 0 && num_elsewhere_ > 0);
    return is_inside ? sum : sum + of_other_place(place[0]);
  }

  /// A value of the field that a kernel changes. In order, what lies beyond a border is computed from
  /// the values before the kernel.
  T own_at(problem_kernel const& kernel, int c, axis_entries const& place) const {
    int const a = kernel.order_axis, f = kernel.field;
    bool const is_beyond = a >= 0 && (place[a] < 0 || place[a] >= problem_.extent(field_of(f), a));
    acted_.note(feature::order, a >= 0 && !is_beyond && place != here_);
    return at(f, is_beyond ? before_ : levels_[f][0], kernel.first + c, place);
  }

  void add(double& sum, problem_read const& read, axis_entries const& place, double scale) const {
    if (read.field < 0)
      return;
    acted_.note(feature::old_level, read.level < 0);
    for (int c = 0; c < field_of(read.field).components; ++c) {
      auto const& list = read.lists[c % read.lists.size()];
      for (int s = 0; s < std::ssize(list); ++s)
        sum += read.coefficient * scale * (1.0 + 0.25 * static_cast<double>(s)) *
               static_cast<double>(at(read.field, levels_[read.field][-read.level], c,
                                      moved(place, list[s])));
    }
  }

  void move(problem_mask const& mask, std::vector<int>& values) const {
    auto const old = values;
    for_each_place(mask, [&](axis_entries const& place) {
      axis_entries source = moved(place, mask.by);
      values[number(mask, place, 0)] =
          wrap(mask, source) ? old[number(mask, source, 0)] : mask.beyond;
    });
  }

  bool is_masked_out(problem_kernel const& kernel, axis_entries const& place) const {
    int const m = kernel.mask;
    if (m < 0)
      return false;
    bool const is_out = masks_[m][number(problem_.masks[m], place, 0)] == 0;
    ++(is_out ? num_elsewhere_ : num_inside_);
    acted_.note(feature::mask, num_inside_ > 0 && num_elsewhere_ > 0);
    return is_out;
  }

  void run(problem_kernel const& kernel, int color) {
    running_ = &kernel;
    int const f = kernel.field;
    problem_field const& field = field_of(kernel.field);
    if (kernel.kind == kernel_kind::reduces)
      return reduce(kernel);
    if (kernel.order_axis >= 0)
      return run_in_order(kernel);
    if (kernel.beside >= 0)
      return run_two(kernel);
    std::vector<T> next = levels_[f][0];
    for_each_place(field, [&](axis_entries const& place) {
      here_ = place;
      auto const sum = place[0] + place[1] + place[2];
      if (!is_in_box(kernel, place) || sum % kernel.colors != color || is_masked_out(kernel, place))
        return;
      for (int c = 0; c < kernel.count; ++c) {
        T& to = next[number(field, place, kernel.first + c)];
        if (kernel.kind == kernel_kind::adds)
          add_at(kernel, place, c, to);
        else
          to = stored<T>(sum_at(kernel, place, c));
      }
      for (int c = 0; c < kernel.second.count; ++c)
        next[number(field, place, kernel.second.first + c)] = second_at(kernel, place, c);
      note_term(next[number(field, place, kernel.first)]);
    });
    if (kernel.kind == kernel_kind::updates ||
        (kernel.second.count > 0 && kernel.second.kind == kernel_kind::updates))
      std::rotate(levels_[f].begin(), levels_[f].end() - 1, levels_[f].end());
    levels_[f][0] = next;
  }

  /// A kernel that writes two fields, each where it has values.
  void run_two(problem_kernel const& kernel) {
    problem_field const &field = field_of(kernel.field), &beside = field_of(kernel.beside);
    auto &levels = levels_[kernel.field], &levels_beside = levels_[kernel.beside];
    std::vector<T> next = levels[0], next_beside = levels_beside[0];
    problem_field around;
    around.low_axes = field.low_axes | beside.low_axes;
    for_each_place(around, [&](axis_entries const& place) {
      here_ = place;
      if (!is_in_box(kernel, place))
        return;
      bool const is_first = has_place(field, place), is_second = has_place(beside, place);
      acted_.note(feature::several, is_first != is_second);
      for (int c = 0; c < kernel.count && is_first; ++c)
        next[number(field, place, kernel.first + c)] = stored<T>(sum_at(kernel, place, c));
      if (is_second)
        next_beside[number(beside, place, 0)] = beside_at(kernel, place);
    });
    if (kernel.kind == kernel_kind::updates)
      for (auto* const all : {&levels, &levels_beside})
        std::rotate(all->begin(), all->end() - 1, all->end());
    levels[0] = next;
    levels_beside[0] = next_beside;
  }

  T beside_at(problem_kernel const& kernel, axis_entries const& place) const {
    double sum = 0;
    for (problem_read const& read : kernel.reads)
      add(sum, read, place, 1.0);
    T const old = levels_[kernel.beside][0][number(field_of(kernel.beside), place, 0)];
    bool const is_read = kind_beside(kernel.kind) != kernel_kind::writes;
    return stored<T>(second_value(sum, is_read ? static_cast<double>(old) : 0.0));
  }

  /// The new value of a component that a kernel has in its second role.
  T second_at(problem_kernel const& kernel, axis_entries const& place, int c) const {
    double sum = 0;
    for (problem_read const& read : kernel.reads)
      add(sum, read, place, 1.0 + 0.5 * c);
    T const old =
        levels_[kernel.field][0][number(field_of(kernel.field), place, kernel.second.first + c)];
    bool const is_read = kernel.second.kind != kernel_kind::writes;
    return stored<T>(second_value(sum, is_read ? static_cast<double>(old) : 0.0));
  }

  void note_term(T written) { terms_.push_back(contribution(static_cast<double>(written))); }

  /// Layer by layer, in place.
  void run_in_order(problem_kernel const& kernel) {
    problem_field const& field = field_of(kernel.field);
    std::int64_t const num_layers = problem_.extent(field, kernel.order_axis);
    before_ = levels_[kernel.field][0];
    for (std::int64_t n = 0; n < num_layers; ++n)
      for_each_place(field, [&](axis_entries const& place) {
        std::int64_t const layer = kernel.is_backward ? num_layers - 1 - n : n;
        if (place[kernel.order_axis] != layer || !is_in_box(kernel, place) ||
            is_masked_out(kernel, place))
          return;
        here_ = place;
        std::vector<T> made;
        for (int c = 0; c < kernel.count; ++c)
          made.push_back(stored<T>(sum_at(kernel, place, c)));
        for (int c = 0; c < kernel.count; ++c)
          levels_[kernel.field][0][number(field, place, kernel.first + c)] = made[c];
        note_term(made[0]);
      });
  }

  /// Adds to one value what the kernel adds at the places around it.
  void add_at(problem_kernel const& kernel, axis_entries const& place, int c, T& to) const {
    problem_field const& field = field_of(kernel.field);
    for (int s = 0; s < std::ssize(kernel.added); ++s) {
      axis_entries source = moved(place, kernel.added[s], -1);
      acted_.note(feature::adds, source != place);
      if (wrap(field, source))
        to = static_cast<T>(
            to + stored<T>(sum_at(kernel, source, c) * (1.0 + 0.5 * static_cast<double>(s))));
    }
  }

  void reduce(problem_kernel const& kernel) {
    int const where = kernel.reads[0].field >= 0 ? kernel.reads[0].field : kernel.reads[1].field;
    if (where < 0)
      return;
    extreme found;
    for_each_place(field_of(where), [&](axis_entries const& place) {
      here_ = place;
      if (is_masked_out(kernel, place))
        return;
      double sum = 0;
      for (problem_read const& read : kernel.reads)
        add(sum, read, place, 1.0);
      if (terms_.empty() || (kernel.reduction == 0 ? sum < found.value : sum > found.value))
        found = {sum, place};
      terms_.push_back(sum);
    });
    values_[kernel.value] = reduced(kernel);
    extremes_[&kernel - problem_.kernels.data()] = found;
    acted_.note(feature::located, kernel.is_located && found.index[0] >= 0);
  }

  /// What a kernel makes of its terms.
  double reduced(problem_kernel const& kernel) const {
    if (kernel.kind != kernel_kind::reduces && !terms_.empty()) {
      acted_.note(feature::extreme, kernel.reduction < 2);
      acted_.note(feature::counts, kernel.reduction == 3);
    }
    if (kernel.reduction == 2)
      return expansion_sum(terms_);
    if (kernel.reduction == 3)
      return static_cast<double>(terms_.size());
    if (terms_.empty())
      return std::numeric_limits<double>::infinity();
    return kernel.reduction == 0 ? *std::ranges::min_element(terms_)
                                 : *std::ranges::max_element(terms_);
  }

  std::vector<std::vector<int>> masks_; ///< [masks][places]
  std::vector<extreme> extremes_;       ///< [kernels] of those that locate one
  std::vector<double> reduced_;         ///< [kernels] of those whose values are taken
  std::vector<double> terms_;           ///< that a kernel contributes to a value
  std::int64_t done_ = 0, done_second_ = 0;
  bool is_changed_ = false;
  mutable std::int64_t num_inside_ = 0, num_elsewhere_ = 0; ///< of a kernel's places
};

} // namespace seam::testing
