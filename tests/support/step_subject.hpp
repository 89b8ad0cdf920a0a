/// Drawn step programs in the library under test, run beside the serial program.
#pragma once

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/stencil/roles/kernel_by_place.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/serial_steps.hpp>
#include <support/step_fields.hpp>
#include <support/step_kernels.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seam::testing {

template <class T, int D>
class step_subject {
public:
  step_subject(Communicator const& over, step_problem const& what)
      : what_(what),
        checks_(what.is_checked),
        made_(over, what),
        first_(made_.grid),
        second_(made_.grid) {
    for (int m = 0; m < std::ssize(what.masks); ++m)
      if (what.masks[m].moves)
        add_moving_mask(m);
    for (int k = 0; k < std::ssize(what.kernels); ++k)
      add_kernel(k < what.first_program ? first_ : second_, what.kernels[k]);
    for (Steps<D>* steps : {&first_, &second_}) {
      set_fusion(*steps);
      if (what.time >= 0)
        steps->time(made_.values[what.time]);
    }
  }

  /// The first difference after all runs, or nothing.
  std::string fault() {
    serial_steps<T> serial(what_);
    profile_steps(what_.is_profiled);
    std::string wrong;
    for (int r = 0; r < std::ssize(what_.runs); ++r) {
      run(what_.runs[r], serial);
      if (wrong.empty())
        if (std::string const found = made_.difference(serial); !found.empty())
          wrong = fmt::format("after run {} {}", r, found);
    }
    acted_ = serial.acted();
    return wrong;
  }

  /// What has acted in the runs of fault().
  acted_features const& acted() const { return acted_; }

  /// True if the library has chosen by measurement how many steps are fused.
  bool has_measured() const { return has_measured_; }

  /// A number made of all bits of the results.
  /// Collective: over the grid.
  std::uint64_t hash() const { return made_.hash(); }

private:
  bool has_second() const { return what_.first_program < std::ssize(what_.kernels); }

  void run(int steps, serial_steps<T>& serial) {
    if (what_.until >= 0)
      first_.run_until(made_.values[what_.until], ends_run,
                       {.check_every = what_.check_every, .at_most = first_.num_steps() + steps});
    else
      first_.run(steps);
    if (has_second())
      second_.run(steps);
    serial.run(steps);
    if (what_.fused == 0) // before borders turn, which begins anew
      has_measured_ = has_measured_ || first_.explain().find("of the time of a step when so many "
                                                             "are fused") != std::string::npos;
    if (what_.is_changed_by_hand)
      made_.change_by_hand();
    if (what_.turns_borders)
      made_.turn_borders();
  }

  void set_fusion(Steps<D>& steps) const {
    steps.machine().settings().tile_extent = what_.tile_extent;
    steps.machine().settings().parts_in_order = what_.parts;
    if (what_.fused == 0)
      steps.fuse_by_measurement();
    else
      steps.fuse(what_.fused);
  }

  void add_moving_mask(int m) {
    auto const& by = what_.masks[m].by;
    first_.each(fmt::format("move mask {}", m),
                updates(made_.masks[m], at({std::vector<int>(by.begin(), by.begin() + D)})),
                [by](auto values) { values = at_offset<D>(values, by); });
  }

  /// A field that the kernel may read where it reads only one: itself at another place is not
  /// allowed, so that the programs have a field for this purpose.
  field_part<T, D> part(problem_read const& read) {
    if (read.field >= 0)
      return made_.fields[read.field][read.level];
    if (!idle_) {
      idle_.emplace(made_.grid.template field<T>("idle",
                                                 {.on = centering{what_.fields[0].low_axes}}));
      idle_->fill(T{});
    }
    return idle_->whole();
  }
  std::vector<stencil> offsets(problem_read const& read) {
    return read.field < 0 ? std::vector<stencil>{stencil()} : stencils_for(read);
  }
  std::vector<stencil> stencils_for(problem_read const& read) {
    auto all = stencils_of<D>(read);
    int const components = what_.fields[read.field].components;
    if (all.size() > 1)
      all.resize(components);
    return all;
  }

  void add_kernel(Steps<D>& steps, problem_kernel const& kernel) {
    if (kernel.kind == kernel_kind::swaps)
      return steps.swap(made_.fields[kernel.field], made_.fields[kernel.swapped]);
    if (kernel.kind == kernel_kind::sets)
      return steps.once(sets(made_.values[kernel.reduces]), with(made_.values[kernel.value]),
                        [more = kernel.of_value](double& v, double w) {
                          v = next_value(v, w, more);
                        });
    auto options = declare(steps, kernel);
    if (kernel.is_boxed) {
      box<D> where;
      for (int a = 0; a < D; ++a) {
        where.lo[a] = kernel.lo[a];
        where.hi[a] = kernel.hi[a];
      }
      options.where(where);
    }
    if (kernel.mask >= 0)
      options.where(made_.masks[kernel.mask]);
    options.every(kernel.every, kernel.phase).in_colors(kernel.colors);
    if (kernel.order_axis >= 0)
      options.in_order(kernel.order_axis,
                       kernel.is_backward ? axis_order::backward : axis_order::forward);
    for (int axis = 0; axis < D && kernel.bordered >= 0; ++axis)
      for (int const end : {0, 1})
        if (kernel.has_own[axis][end])
          made_.set_border(kernel.own_borders, axis, end, [&](auto const&... condition) {
            options.boundary(made_.fields[kernel.bordered], axis, end == 0 ? side::low : side::high,
                             condition...);
          });
  }

  int components_of(problem_read const& read) const {
    return read.field < 0 ? 1 : what_.fields[read.field].components;
  }

  kernel_options<D> declare(Steps<D>& steps, problem_kernel const& kernel) {
    kernel_sums<D> const sums{&kernel,
                              {components_of(kernel.reads[0]), components_of(kernel.reads[1])}};
    auto const first = reads(part(kernel.reads[0]), offsets(kernel.reads[0]));
    auto const second = reads(part(kernel.reads[1]), offsets(kernel.reads[1]));
    auto const value = with(made_.values[kernel.value]);
    auto const target = made_.fields[kernel.field].components(kernel.first, kernel.count);
    auto const own = stencils_of<D>(kernel.own).front();
    std::string const name = fmt::format("kernel {}", steps.machine().program().kernels.size());
    auto const of_others = [sums](auto to, auto a, auto b, double v) {
      return sums.template write<T>(to, [&](int c) {
        return stored<T>(sums.of_others(c, a, b) + sums.kernel->of_value * v);
      });
    };
    auto const of_all = [sums](auto to, auto a, auto b, double v) {
      return sums.template write<T>(to, [&](int c) {
        return stored<T>(sums.with_own(sums.of_others(c, a, b), c, to) + sums.kernel->of_value * v);
      });
    };
    if (kernel.beside >= 0)
      return add_two_fields(steps, name, kernel, first, second, sums);
    if (kernel.second.count > 0)
      return add_two_roles(steps, name, kernel, first, second, sums);
    auto const add = [&](auto const& role, auto const& compute) {
      if (kernel.reduces < 0)
        return steps.each(name, role, first, second, value, compute);
      reduced_values const all = values_for(kernel, name);
      auto const options =
          steps.each(name, role, first, second, value, minimum(all.least), maximum(all.most),
                     sum(all.total), sum(all.number), and_contribute(compute));
      take(steps, kernel, all);
      return options;
    };
    switch (kernel.kind) {
    case kernel_kind::writes: return add(writes(target), of_others);
    case kernel_kind::updates:
      if (kernel.is_by_place)
        return add_by_place(steps, name, kernel, updates(target, own), first, second, sums, of_all);
      return add(updates(target, own), of_all);
    case kernel_kind::modifies: return add(modifies(target, own), of_all);
    case kernel_kind::adds: return add_adding(steps, name, kernel, target, first, second, sums);
    default: return add_reducing(steps, name, kernel, first, second, sums);
    }
  }

  kernel_options<D> add_two_fields(Steps<D>& steps, std::string const& name,
                                   problem_kernel const& kernel, auto const& first,
                                   auto const& second, kernel_sums<D> const& sums) {
    auto const target = made_.fields[kernel.field].components(kernel.first, kernel.count);
    auto const beside = made_.fields[kernel.beside].components(0, 1);
    auto const add = [&](auto const& role, auto const& role_beside) {
      return steps.each(name, role, role_beside, first, second, with(made_.values[kernel.value]),
                        kernel_of_two_fields<T, D>{sums});
    };
    switch (kernel.kind) {
    case kernel_kind::writes: return add(writes(target), modifies(beside));
    case kernel_kind::updates:
      return add(updates(target, stencils_of<D>(kernel.own).front()), updates(beside));
    default: return add(modifies(target), writes(beside));
    }
  }

  /// The values that a kernel reduces what it writes into; the program takes one of them, or none.
  struct reduced_values {
    Value<double> least, most, total;
    Value<std::int64_t> number;
  };
  reduced_values values_for(problem_kernel const& kernel, std::string const& name) {
    reduced_values all{Value<double>(name + " least", first_extreme),
                       Value<double>(name + " most", first_extreme), Value<double>(name + " total"),
                       Value<std::int64_t>(name + " number")};
    if (kernel.reduces >= 0 && !kernel.is_taken)
      (kernel.reduction == 0   ? all.least
       : kernel.reduction == 1 ? all.most
                               : all.total) = made_.values[kernel.reduces];
    return all;
  }
  void take(Steps<D>& steps, problem_kernel const& kernel, reduced_values const& all) {
    auto const take_from = [&](auto const& reduced) {
      steps.once("take", sets(made_.values[kernel.reduces]), with(reduced),
                 [](double& v, auto found) { v = taken(static_cast<double>(found)); });
    };
    if (!kernel.is_taken)
      return;
    if (kernel.reduction == 3)
      return take_from(all.number);
    take_from(kernel.reduction == 0 ? all.least : all.most);
  }

  /// Reduces, too, if only into values that nothing takes.
  kernel_options<D> add_two_roles(Steps<D>& steps, std::string const& name,
                                  problem_kernel const& kernel, auto const& first,
                                  auto const& second, kernel_sums<D> const& sums) {
    auto const target = made_.fields[kernel.field].components(kernel.first, kernel.count);
    auto const more =
        made_.fields[kernel.field].components(kernel.second.first, kernel.second.count);
    bool const is_first = kernel.kind == kernel_kind::updates;
    auto const updated =
        is_first ? updates(target, stencils_of<D>(kernel.own).front()) : updates(more);
    auto const& other = is_first ? more : target;
    reduced_values const all = values_for(kernel, name);
    auto const add = [&](auto const& role) {
      auto const options =
          steps.each(name, updated, role, first, second, with(made_.values[kernel.value]),
                     minimum(all.least), maximum(all.most), sum(all.total), sum(all.number),
                     kernel_of_two_roles<T, D>{sums});
      take(steps, kernel, all);
      return options;
    };
    switch (is_first ? kernel.second.kind : kernel.kind) {
    case kernel_kind::writes: return add(writes(other));
    case kernel_kind::updates: return add(updates(other));
    default: return add(modifies(other));
    }
  }

  auto add_by_place(Steps<D>& steps, std::string const& name, problem_kernel const& kernel,
                    auto const& target, auto const& first, auto const& second,
                    kernel_sums<D> const& sums, auto const& of_all) {
    box<D> inside;
    for (int a = 0; a < D; ++a) {
      inside.lo[a] = kernel.inner_lo[a];
      inside.hi[a] = kernel.inner_hi[a];
    }
    auto const elsewhere = [sums](auto to, auto a, auto b, double v, place<D> const& here) {
      for (int c = 0; c < sums.kernel->count; ++c)
        to[c] = stored<T>(sums.with_own(sums.of_others(c, a, b), c, to) +
                          sums.kernel->of_value * v + of_other_place(here.index[0]));
    };
    return steps.each(name, target, first, second, with(made_.values[kernel.value]),
                      by_place(inside, of_all, elsewhere));
  }

  auto add_adding(Steps<D>& steps, std::string const& name, problem_kernel const& kernel,
                  auto const& target, auto const& first, auto const& second,
                  kernel_sums<D> const& sums) {
    std::vector<std::vector<int>> offsets;
    for (axis_entries const& offset : kernel.added)
      offsets.emplace_back(offset.begin(), offset.begin() + D);
    return steps.each(name, adds(target, at(offsets)), first, second,
                      with(made_.values[kernel.value]), [sums](auto to, auto a, auto b, double v) {
                        for (int c = 0; c < sums.kernel->count; ++c)
                          for (int s = 0; s < std::ssize(sums.kernel->added); ++s)
                            at_offset<D>(to[c], sums.kernel->added[s]) +=
                                stored<T>((sums.of_others(c, a, b) + sums.kernel->of_value * v) *
                                          (1.0 + 0.5 * static_cast<double>(s)));
                      });
  }

  auto add_reducing(Steps<D>& steps, std::string const& name, problem_kernel const& kernel,
                    auto const& first, auto const& second, kernel_sums<D> const& sums) {
    auto const& value = made_.values[kernel.value];
    auto const contribute = [sums](auto into, auto a, auto b) { into(sums.of_others(0, a, b)); };
    if (kernel.is_located) {
      located<double, D> none{first_extreme, {}};
      none.index.fill(-1);
      Value<located<double, D>> const extreme(name, none);
      auto const options = kernel.reduction == 0
                               ? steps.each(name, minimum(extreme), first, second, contribute)
                               : steps.each(name, maximum(extreme), first, second, contribute);
      steps.once("locate", sets(value), with(extreme),
                 [](double& v, auto const& found) { v = of_location(found.value, found.index); });
      return options;
    }
    if (kernel.reduction == 0)
      return steps.each(name, minimum(value), first, second, contribute);
    if (kernel.reduction == 1)
      return steps.each(name, maximum(value), first, second, contribute);
    return steps.each(name, sum(value), first, second, contribute);
  }

  step_problem const& what_;
  checks_in_scope const checks_;
  step_fields<T, D> made_;
  acted_features acted_;
  bool has_measured_ = false;
  std::optional<Field<T, D>> idle_;
  Steps<D> first_, second_;
};

} // namespace seam::testing
