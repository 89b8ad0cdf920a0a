// Random programs of steps equal, bit by bit, a serial program that knows neither ghosts nor
// messages nor second buffers: after each run all levels of all fields, and all values.
//
// SEAM_STEPS_CASES=5000 draws so many programs in all, of which each run computes those for its
// number of threads; SEAM_STEPS_SEED=n draws others, SEAM_STEPS_CASE=k computes the k-th alone.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/kernel_by_place.hpp>
#include <seam/stencil/steps.hpp>

#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/serial_steps.hpp>
#include <support/step_problem_maker.hpp>
#include <support/world.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;
using seam::detail::num_loop_threads;

namespace {

template <int D>
std::vector<stencil> stencils_of(problem_read const& read) {
  std::vector<stencil> all;
  for (auto const& list : read.lists) {
    std::vector<std::vector<int>> offsets;
    for (axis_entries const& offset : list)
      offsets.emplace_back(offset.begin(), offset.begin() + D);
    all.push_back(at(offsets));
  }
  return all;
}

template <int D>
grid_options<D> options_of(step_problem const& what) {
  grid_options<D> options;
  options.neighborhood = metric_neighborhood(metric::manhattan, 0, 0);
  for (int a = 0; a < D; ++a) {
    problem_axis const& axis = what.axes[a];
    options.cells[a] = axis.cells;
    options.periodic[a] = axis.is_periodic;
    options.processes[a] = axis.processes;
    options.upper[a] = axis.length;
  }
  return options;
}

/// Calls use(condition), with the condition of one border.
template <class T, int D, class Use>
void use_condition(int axis, border_condition const& border, Use const& use) {
  double const value = border.value;
  auto const function = [value](position<D> const& x) { return place_function(value, x); };
  switch (border.kind) {
  case border_kind::dirichlet: return use(dirichlet(value));
  case border_kind::dirichlet_of: return use(dirichlet(function));
  case border_kind::neumann: return use(neumann(value));
  case border_kind::neumann_of: return use(neumann(function));
  case border_kind::outside: return use(outside(value));
  case border_kind::outside_of: return use(outside(function));
  case border_kind::own:
    return use([=](ghost_cell<T, D> const& ghost) {
      int const a = axis;
      return static_cast<T>(own_condition(value, ghost.inside, ghost.centre[a], ghost.distance));
    });
  }
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
  problem_kernel kernel;
  std::array<int, 2> components; ///< of the fields that are read

  template <class View>
  void add(double& sum, int r, View const& view, double scale) const {
    problem_read const& read = kernel.reads[r];
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
    for (int c = 0; c < kernel.count; ++c) {
      T const made = value_of(c);
      to[c] = made;
      first = c == 0 ? made : first;
    }
    return first;
  }

  template <class View>
  double with_own(double sum, int c, View const& own) const {
    for (int s = 0; s < std::ssize(kernel.own.lists[0]); ++s)
      sum += kernel.own.coefficient * (1.0 + 0.25 * static_cast<double>(s)) *
             static_cast<double>(at_offset<D>(own[c], kernel.own.lists[0][s]));
    return sum;
  }
};

/// A kernel that contributes to a value what another one returns.
auto and_contribute(auto const& compute) {
  return [compute](auto to, auto a, auto b, double v, auto into) {
    into(contribution(static_cast<double>(compute(to, a, b, v))));
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
      return stored<T>(sum + sums.kernel.of_value * v);
    });
  }
  void compute_second(auto const& to, auto const& a, auto const& b) const {
    for (int c = 0; c < sums.kernel.second.count; ++c) {
      double old = 0;
      if constexpr (!only_writes<std::remove_cvref_t<decltype(to)>>)
        old = static_cast<double>(at_offset<D>(to[c], {}));
      to[c] = stored<T>(second_value(sums.of_others(c, a, b), old));
    }
  }
  void operator()(auto updated, auto other, auto a, auto b, double v, auto into) const {
    bool const is_first = sums.kernel.kind == kernel_kind::updates;
    T first{};
    if (is_first) {
      first = compute_first(updated, a, b, v);
      compute_second(other, a, b);
    } else {
      first = compute_first(other, a, b, v);
      compute_second(updated, a, b);
    }
    into(contribution(static_cast<double>(first)));
  }
};

template <class T, int D>
class subject {
public:
  subject(Communicator const& over, step_problem const& what)
      : what_(what),
        grid_(over, options_of<D>(what)),
        values_{Value<double>("a", 0.5), Value<double>("b", -0.25)},
        first_(grid_),
        second_(grid_) {
    for (int f = 0; f < std::ssize(what.fields); ++f)
      add_field(f);
    set_borders();
    for (int m = 0; m < std::ssize(what.masks); ++m)
      add_mask(what.masks[m], m);
    for (int k = 0; k < std::ssize(what.kernels); ++k)
      add_kernel(k < what.first_program ? first_ : second_, what.kernels[k]);
    for (Steps<D>* steps : {&first_, &second_}) {
      set_fusion(*steps);
      if (what.time >= 0)
        steps->time(values_[what.time]);
    }
  }

  /// The first difference after all runs, or nothing.
  std::string fault() {
    serial_steps<T> serial(what_);
    std::string wrong;
    for (int r = 0; r < std::ssize(what_.runs); ++r) {
      run(what_.runs[r], serial);
      for (int f = 0; f < std::ssize(fields_) && wrong.empty(); ++f)
        for (int level = 0; level < fields_[f].num_levels() && wrong.empty(); ++level)
          for (int c = 0; c < fields_[f].num_components() && wrong.empty(); ++c)
            wrong = difference(serial, r, f, level, c);
      for (int v = 0; v < step_problem::num_values && wrong.empty(); ++v)
        if (!is_same(values_[v].get(), serial.value(v)))
          wrong = fmt::format("after run {} value {} is {} instead of {}", r, v, values_[v].get(),
                              serial.value(v));
    }
    return wrong;
  }

private:
  bool has_second() const { return what_.first_program < std::ssize(what_.kernels); }

  void run(int steps, serial_steps<T>& serial) {
    first_.run(steps);
    for (int s = 0; s < steps; ++s)
      serial.step();
    if (has_second())
      second_.run(steps);
    for (int s = 0; s < steps && has_second(); ++s)
      serial.second_step();
    if (what_.is_changed_by_hand) {
      change_by_hand();
      serial.change_by_hand();
    }
    if (what_.turns_borders) {
      is_turned_ = !is_turned_;
      set_borders();
      serial.turn_borders();
    }
  }

  void change_by_hand() {
    for (int f = 0; f < std::ssize(fields_); ++f)
      for (int c = 0; c < fields_[f].num_components(); ++c)
        for_each_cell(fields_[f].owned(), [&, view = fields_[f].view(c)](cell_index<D> const& at) {
          view[at] = changed_by_hand(view[at], first_value(global(at), f, c));
        });
  }

  void set_fusion(Steps<D>& steps) const {
    steps.machine().settings().tile_extent = what_.tile_extent;
    steps.machine().settings().parts_in_order = what_.parts;
    if (what_.fused == 0)
      steps.fuse_by_measurement();
    else
      steps.fuse(what_.fused);
  }

  void add_field(int f) {
    problem_field const& field = what_.fields[f];
    fields_.push_back(grid_.template field<T>(
        fmt::format("f{}", f),
        {.on = centering{field.low_axes}, .components = field.components, .levels = field.levels}));
    Field<T, D>& made = fields_.back();
    for (int c = 0; c < field.components; ++c)
      for (int level = 0; level < field.levels; ++level) {
        auto const view = made.view(c, -level);
        for_each_cell(made.owned(), [&](cell_index<D> const& at) {
          view[at] = stored<T>(first_value(global(at), f, c) + 0.125 * level);
        });
      }
  }

  void set_borders() {
    for (int f = 0; f < std::ssize(fields_); ++f)
      for (int axis = 0; axis < D; ++axis)
        for (side const end : {side::low, side::high}) {
          int const from = (end == side::low) == is_turned_ ? 1 : 0;
          set_border(what_.fields[f], axis, from, [&](auto const&... condition) {
            fields_[f].boundary(axis, end, condition...);
          });
        }
  }

  /// Calls use() with the condition on one border, and the field that it reads before it if it does.
  template <class Use>
  void set_border(problem_borders const& all, int axis, int end, Use const& use) {
    border_condition const& border = all.borders[axis][end];
    problem_source const& source = all.sources[axis][end];
    if (!source.is_used())
      return use_condition<T, D>(axis, border, use);
    if (source.is_of_time_alone())
      return use([](ghost_cell<T, D> const& ghost, double time) {
        return static_cast<T>(condition_beside(0.0, ghost.inside, 0.0, time, 0.0));
      });
    auto const value_of = [value = border.value, held = held_by(source)](
                              ghost_cell<T, D> const& ghost, double beside, double time) {
      return static_cast<T>(condition_beside(value, ghost.inside, beside, time,
                                             held ? held->get() : 0.0));
    };
    if (source.field < 0 && source.takes_time)
      use([=](ghost_cell<T, D> const& ghost, double time) { return value_of(ghost, 0.0, time); });
    else if (source.field < 0)
      use([=](ghost_cell<T, D> const& ghost) { return value_of(ghost, 0.0, 0.0); });
    else if (source.takes_time)
      use(fields_[source.field].components(source.component),
          [=](ghost_cell<T, D> const& ghost, T beside, double time) {
            return value_of(ghost, beside, time);
          });
    else
      use(fields_[source.field].components(source.component),
          [=](ghost_cell<T, D> const& ghost, T beside) { return value_of(ghost, beside, 0.0); });
  }

  /// The value that a condition holds.
  std::optional<Value<double>> held_by(problem_source const& source) const {
    return source.held < 0 ? std::nullopt : std::optional(values_[source.held]);
  }

  void add_mask(problem_mask const& mask, int m) {
    masks_.push_back(grid_.template field<int>(fmt::format("mask {}", m),
                                               {.on = centering{mask.low_axes}}));
    Field<int, D>& made = masks_.back();
    made.boundary(outside(mask.beyond));
    for_each_cell(made.owned(), [&, view = made.view()](cell_index<D> const& at) {
      view[at] = mask.is_set(global(at), D);
    });
    std::vector<int> const by(mask.by.begin(), mask.by.begin() + D);
    if (mask.moves)
      first_.each(fmt::format("move mask {}", m), updates(made, at({by})),
                  [by = mask.by](auto values) { values = at_offset<D>(values, by); });
  }

  axis_entries global(cell_index<D> const& at) const {
    axis_entries cell{};
    for (int a = 0; a < D; ++a)
      cell[a] = at[a] + grid_.owned().lo[a];
    return cell;
  }

  /// A field that the kernel may read where it reads only one: itself at another place is not
  /// allowed, so that the programs have a field for this purpose.
  field_part<T, D> part(problem_read const& read) {
    if (read.field >= 0)
      return fields_[read.field][read.level];
    if (!idle_)
      idle_.emplace(grid_.template field<T>("idle", {.on = centering{what_.fields[0].low_axes}}));
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
      return steps.swap(fields_[kernel.field], fields_[kernel.swapped]);
    if (kernel.kind == kernel_kind::sets)
      return steps.once(sets(values_[kernel.reduces]), with(values_[kernel.value]),
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
      options.where(masks_[kernel.mask]);
    options.every(kernel.every).in_colors(kernel.colors);
    if (kernel.order_axis >= 0)
      options.in_order(kernel.order_axis,
                       kernel.is_backward ? axis_order::backward : axis_order::forward);
    for (int axis = 0; axis < D && kernel.bordered >= 0; ++axis)
      for (int const end : {0, 1})
        if (kernel.has_own[axis][end])
          set_border(kernel.own_borders, axis, end, [&](auto const&... condition) {
            options.boundary(fields_[kernel.bordered], axis, end == 0 ? side::low : side::high,
                             condition...);
          });
  }

  int components_of(problem_read const& read) const {
    return read.field < 0 ? 1 : what_.fields[read.field].components;
  }

  kernel_options<D> declare(Steps<D>& steps, problem_kernel const& kernel) {
    kernel_sums<D> const sums{kernel,
                              {components_of(kernel.reads[0]), components_of(kernel.reads[1])}};
    auto const first = reads(part(kernel.reads[0]), offsets(kernel.reads[0]));
    auto const second = reads(part(kernel.reads[1]), offsets(kernel.reads[1]));
    auto const value = with(values_[kernel.value]);
    auto const target = fields_[kernel.field].components(kernel.first, kernel.count);
    auto const own = stencils_of<D>(kernel.own).front();
    std::string const name = fmt::format("kernel {}", steps.machine().program().kernels.size());
    auto const of_others = [sums](auto to, auto a, auto b, double v) {
      return sums.template write<T>(to, [&](int c) {
        return stored<T>(sums.of_others(c, a, b) + sums.kernel.of_value * v);
      });
    };
    auto const of_all = [sums](auto to, auto a, auto b, double v) {
      return sums.template write<T>(to, [&](int c) {
        return stored<T>(sums.with_own(sums.of_others(c, a, b), c, to) + sums.kernel.of_value * v);
      });
    };
    if (kernel.second.count > 0)
      return add_two_roles(steps, name, kernel, first, second, sums);
    auto const add = [&](auto const& role, auto const& compute) {
      if (kernel.reduces < 0)
        return steps.each(name, role, first, second, value, compute);
      if (kernel.reduction == 1)
        return steps.each(name, role, first, second, value, maximum(values_[kernel.reduces]),
                          and_contribute(compute));
      return steps.each(name, role, first, second, value, sum(values_[kernel.reduces]),
                        and_contribute(compute));
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

  /// Reduces, too, if only into a value that nothing takes.
  kernel_options<D> add_two_roles(Steps<D>& steps, std::string const& name,
                                  problem_kernel const& kernel, auto const& first,
                                  auto const& second, kernel_sums<D> const& sums) {
    auto const target = fields_[kernel.field].components(kernel.first, kernel.count);
    auto const more = fields_[kernel.field].components(kernel.second.first, kernel.second.count);
    bool const is_first = kernel.kind == kernel_kind::updates;
    auto const updated =
        is_first ? updates(target, stencils_of<D>(kernel.own).front()) : updates(more);
    auto const& other = is_first ? more : target;
    auto const add = [&](auto const& role) {
      return steps.each(name, updated, role, first, second, with(values_[kernel.value]),
                        sum(kernel.reduces < 0 ? unused_ : values_[kernel.reduces]),
                        kernel_of_two_roles<T, D>{sums});
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
      for (int c = 0; c < sums.kernel.count; ++c)
        to[c] = stored<T>(sums.with_own(sums.of_others(c, a, b), c, to) + sums.kernel.of_value * v +
                          of_other_place(here.index[0]));
    };
    return steps.each(name, target, first, second, with(values_[kernel.value]),
                      by_place(inside, of_all, elsewhere));
  }

  auto add_adding(Steps<D>& steps, std::string const& name, problem_kernel const& kernel,
                  auto const& target, auto const& first, auto const& second,
                  kernel_sums<D> const& sums) {
    std::vector<std::vector<int>> offsets;
    for (axis_entries const& offset : kernel.added)
      offsets.emplace_back(offset.begin(), offset.begin() + D);
    return steps.each(name, adds(target, at(offsets)), first, second, with(values_[kernel.value]),
                      [sums](auto to, auto a, auto b, double v) {
                        for (int c = 0; c < sums.kernel.count; ++c)
                          for (int s = 0; s < std::ssize(sums.kernel.added); ++s)
                            at_offset<D>(to[c], sums.kernel.added[s]) +=
                                stored<T>((sums.of_others(c, a, b) + sums.kernel.of_value * v) *
                                          (1.0 + 0.5 * static_cast<double>(s)));
                      });
  }

  auto add_reducing(Steps<D>& steps, std::string const& name, problem_kernel const& kernel,
                    auto const& first, auto const& second, kernel_sums<D> const& sums) {
    auto const& value = values_[kernel.value];
    auto const contribute = [sums](auto into, auto a, auto b) { into(sums.of_others(0, a, b)); };
    if (kernel.reduction == 0)
      return steps.each(name, minimum(value), first, second, contribute);
    if (kernel.reduction == 1)
      return steps.each(name, maximum(value), first, second, contribute);
    return steps.each(name, sum(value), first, second, contribute);
  }

  /// What is no number has no certain sign.
  static bool is_same(auto found, auto right) {
    return found == right || (found != found && right != right);
  }

  std::string difference(serial_steps<T> const& serial, int run, int f, int level, int c) const {
    Field<T, D> const& field = fields_[f];
    auto const view = field.view(c, -level);
    box<D> const domain = grid_.domain(field.on());
    std::string wrong;
    std::int64_t count = 0;
    for_each_cell(field.owned(), [&](cell_index<D> const& at) {
      axis_entries const cell = global(at);
      std::int64_t number = c;
      for (int a = 0; a < D; ++a)
        number = number * domain.extent(a) + cell[a];
      T const right = serial.values(f, level)[number];
      if (!is_same(view[at], right) && count++ == 0)
        wrong =
            fmt::format("after run {} field {} component {} level {} at ({}) is {} instead of {}",
                        run, f, c, -level, fmt::join(std::span(cell).first(D), ","), view[at],
                        right);
    });
    return count == 0 ? "" : fmt::format("{} ({} differ)", wrong, count);
  }

  step_problem const& what_;
  Grid<D> grid_;
  std::vector<Field<T, D>> fields_;
  std::vector<Field<int, D>> masks_;
  std::optional<Field<T, D>> idle_;
  std::array<Value<double>, step_problem::num_values> values_;
  Value<double> unused_{"unused"};
  Steps<D> first_, second_;
  bool is_turned_ = false;
};

std::string fault_in_two_dimensions(Communicator const& over, step_problem const& what) {
  switch (what.numbers) {
  case number_type::floats: return subject<float, 2>(over, what).fault();
  case number_type::small_integers: return subject<std::int16_t, 2>(over, what).fault();
  default: return subject<double, 2>(over, what).fault();
  }
}

std::string fault_of(Communicator const& over, step_problem const& what) {
  try {
    switch (what.axes.size()) {
    case 1: return subject<double, 1>(over, what).fault();
    case 2: return fault_in_two_dimensions(over, what);
    default: return subject<double, 3>(over, what).fault();
    }
  } catch (usage_error const& refused) {
    return fmt::format("refused: {}", refused.what());
  }
}

/// The communicator of the first few ranks, made when it is first used; nothing on the others.
class first_ranks_kept {
public:
  first_ranks_kept() {
    for (int ranks = 1; ranks <= mpi::comm_view(MPI_COMM_WORLD).size(); ++ranks) {
      auto const part = first_ranks(ranks);
      all_.emplace_back();
      if (part.is_open())
        all_.back() = Communicator::dup(part);
    }
  }
  std::optional<Communicator> const& operator[](int ranks) const { return all_[ranks - 1]; }

private:
  std::vector<std::optional<Communicator>> all_;
};

/// Numbers of the programs that this run computes.
std::vector<int> chosen_cases() {
  if (int const one = number_in_environment("SEAM_STEPS_CASE", -1); one >= 0)
    return {one};
  constexpr int thread_counts = 4;
  int const threads = std::min(num_loop_threads(), thread_counts);
  std::vector<int> mine;
  for (int number = 0; number < number_in_environment("SEAM_STEPS_CASES", 300); ++number)
    if (number % thread_counts + 1 == threads)
      mine.push_back(number);
  return mine;
}

} // namespace

TEST_CASE("random programs of steps equal the serial program bit by bit") {
  auto const seed = static_cast<unsigned>(number_in_environment("SEAM_STEPS_SEED", 1));
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  first_ranks_kept const parts;
  auto const cases = chosen_cases();
  std::vector<int> is_wrong(cases.size());
  for (int n = 0; n < std::ssize(cases); ++n) {
    auto const what = make_step_problem({seed, cases[n], size});
    if (!parts[what.ranks])
      continue;
    std::string const wrong = fault_of(*parts[what.ranks], what);
    is_wrong[n] = wrong.empty() ? 0 : 1;
    INFO(fmt::format("SEAM_STEPS_SEED={} SEAM_STEPS_CASE={} with {} of {} ranks and {} threads: {}",
                     seed, cases[n], what.ranks, size, num_loop_threads(), in_words(what)));
    CHECK(wrong == "");
  }
  MPI_Allreduce(MPI_IN_PLACE, is_wrong.data(), static_cast<int>(is_wrong.size()), MPI_INT, MPI_MAX,
                MPI_COMM_WORLD);
  std::vector<int> wrong_cases;
  for (int n = 0; n < std::ssize(cases); ++n)
    if (is_wrong[n] != 0)
      wrong_cases.push_back(cases[n]);
  CHECK(wrong_cases == std::vector<int>{});
}
