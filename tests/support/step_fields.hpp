/// The grid, fields, masks and values of a drawn step program, in the library under test, and how they differ
/// from those of the serial program.
#pragma once

#include <seam/stencil/roles/steps.hpp>

#include <support/serial_steps.hpp>
#include <support/stencil_conditions.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace seam::testing {

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

inline std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 31U)) * 0x9E3779B97F4A7C15U;
  return number ^ (number >> 29U);
}

/// The bits of a value; the same for all that are no number, and for both zeros.
template <class T>
std::uint64_t bits_of(T value) {
  if (value != value)
    return ~std::uint64_t{0};
  std::uint64_t bits = 0;
  if (value != T{})
    std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// A condition that adds values further inside to what another one makes.
template <class T, int D, class Condition>
auto far_condition_of(int depth, Condition const& condition) {
  using ghost = ghost_cell<T, D, values_inside<T>>;
  return sees(
      depth,
      [=]<class... More>(ghost const& far, More... more)
          -> T requires std::invocable<Condition const&, ghost_cell<T, D> const&, More...> {
        ghost_cell<T, D> const near{far.inside, far.centre, far.border, far.distance, far.layer};
        auto sum = static_cast<double>(static_cast<T>(condition(near, more...)));
        for (int n = 0; n <= depth; ++n)
          sum += of_value_inside(n, static_cast<double>(far.inside(n)));
        return static_cast<T>(sum);
      });
}

template <class T, int D>
class step_fields {
public:
  step_fields(Communicator const& over, step_problem const& what)
      : grid(over, options_of<D>(what)),
        values{Value<double>("a", 0.5), Value<double>("b", -0.25)},
        what_(what) {
    for (int f = 0; f < std::ssize(what.fields); ++f)
      add_field(f);
    set_borders();
    for (problem_mask const& mask : what.masks)
      add_mask(mask);
  }

  /// Borders get the conditions of the opposite ones.
  void turn_borders() {
    is_turned_ = !is_turned_;
    set_borders();
  }

  void change_by_hand() {
    for (int f = 0; f < std::ssize(fields); ++f)
      for (int c = 0; c < fields[f].num_components(); ++c)
        for_each_cell(fields[f].owned(), [&, view = fields[f].view(c)](cell_index<D> const& at) {
          view[at] = changed_by_hand(view[at], first_value(global(at), f, c));
        });
  }

  /// Calls use() with the condition on one border, and the field that it reads before it if it does.
  template <class Use>
  void set_border(problem_borders const& all, int axis, int end, Use const& use) {
    int const depth = all.borders[axis][end].sees;
    if (depth < 0)
      return set_near_border(all, axis, end, use);
    set_near_border(all, axis, end, [&]<class... Before>(Before const&... arguments) {
      auto const last = std::get<sizeof...(Before) - 1>(std::tie(arguments...));
      auto const condition = far_condition_of<T, D>(depth, last);
      if constexpr (sizeof...(Before) == 1)
        use(condition);
      else
        use(std::get<0>(std::tie(arguments...)), condition);
    });
  }

  /// As set_border(), of conditions that see the mirror image.
  template <class Use>
  void set_near_border(problem_borders const& all, int axis, int end, Use const& use) {
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
      use(fields[source.field].components(source.component),
          [=](ghost_cell<T, D> const& ghost, T beside, double time) {
            return value_of(ghost, beside, time);
          });
    else
      use(fields[source.field].components(source.component),
          [=](ghost_cell<T, D> const& ghost, T beside) { return value_of(ghost, beside, 0.0); });
  }

  /// The first difference from the serial program, or nothing.
  std::string difference(serial_steps<T> const& serial) const {
    std::string wrong;
    for (int f = 0; f < std::ssize(fields) && wrong.empty(); ++f)
      for (int level = 0; level < fields[f].num_levels() && wrong.empty(); ++level)
        for (int c = 0; c < fields[f].num_components() && wrong.empty(); ++c)
          wrong = difference(serial, f, level, c);
    for (int v = 0; v < step_problem::num_values && wrong.empty(); ++v)
      if (!is_same(values[v].get(), serial.value(v)))
        wrong = fmt::format("value {} is {} instead of {}", v, values[v].get(), serial.value(v));
    return wrong;
  }

  /// A number made of all bits of all fields and values.
  /// Collective: over the grid.
  std::uint64_t hash() const {
    std::uint64_t own = 0, all = 0;
    for (int f = 0; f < std::ssize(fields); ++f)
      for (int level = 0; level < fields[f].num_levels(); ++level)
        for (int c = 0; c < fields[f].num_components(); ++c)
          own += hash_of_owned(f, level, c);
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, grid.base().context().native());
    for (auto const& value : values)
      all = mixed(all + bits_of(value.get()));
    return all;
  }

  Grid<D> grid;
  std::vector<Field<T, D>> fields;
  std::vector<Field<int, D>> masks;
  std::array<Value<double>, step_problem::num_values> values;

private:
  void add_field(int f) {
    problem_field const& field = what_.fields[f];
    field_options const options{
        .on = centering{field.low_axes}, .components = field.components, .levels = field.levels};
    if (field.is_lent)
      fields.push_back(lent_field(fmt::format("f{}", f), options));
    else
      fields.push_back(grid.template field<T>(fmt::format("f{}", f), options));
    Field<T, D>& made = fields.back();
    for (int c = 0; c < field.components; ++c)
      for (int level = 0; level < field.levels; ++level) {
        auto const view = made.view(c, -level);
        for_each_cell(made.owned(), [&](cell_index<D> const& at) {
          view[at] = stored<T>(first_value(global(at), f, c) + 0.125 * level);
        });
      }
  }

  /// A field in the memory of a view, with ghosts as wide as kernels may read without fusion.
  Field<T, D> lent_field(std::string const& name, field_options const& options) const {
    constexpr std::int64_t ghosts = 8;
    auto const own = grid.owned(options.on);
    auto const make = [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
      return Kokkos::View<typename detail::starred<T, D + 1>::type, Kokkos::LayoutRight,
                          Kokkos::HostSpace>(name, options.components,
                                             (own.extent(static_cast<int>(Axis)) + 2 * ghosts)...);
    };
    return grid.field(name, make(std::make_index_sequence<static_cast<std::size_t>(D)>{}), options);
  }

  void set_borders() {
    for (int f = 0; f < std::ssize(fields); ++f)
      for (int axis = 0; axis < D; ++axis)
        for (side const end : {side::low, side::high}) {
          int const from = (end == side::low) == is_turned_ ? 1 : 0;
          set_border(what_.fields[f], axis, from, [&](auto const&... condition) {
            fields[f].boundary(axis, end, condition...);
          });
        }
  }

  /// The value that a condition holds.
  std::optional<Value<double>> held_by(problem_source const& source) const {
    return source.held < 0 ? std::nullopt : std::optional(values[source.held]);
  }

  void add_mask(problem_mask const& mask) {
    masks.push_back(grid.template field<int>(fmt::format("mask {}", masks.size()),
                                             {.on = centering{mask.low_axes}}));
    Field<int, D>& made = masks.back();
    made.boundary(outside(mask.beyond));
    for_each_cell(made.owned(), [&, view = made.view()](cell_index<D> const& at) {
      view[at] = mask.is_set(global(at), D);
    });
  }

  axis_entries global(cell_index<D> const& at) const {
    axis_entries cell{};
    for (int a = 0; a < D; ++a)
      cell[a] = at[a] + grid.owned().lo[a];
    return cell;
  }

  std::uint64_t hash_of_owned(int f, int level, int c) const {
    Field<T, D> const& field = fields[f];
    auto const view = field.view(c, -level);
    std::uint64_t sum = 0;
    for_each_cell(field.owned(), [&](cell_index<D> const& at) {
      std::uint64_t place = mixed(f * 64 + level * 8 + c + 1);
      for (auto const entry : global(at))
        place = mixed(place + static_cast<std::uint64_t>(entry));
      sum += mixed(place ^ bits_of(view[at]));
    });
    return sum;
  }

  /// What is no number has no certain sign.
  static bool is_same(auto found, auto right) {
    return found == right || (found != found && right != right);
  }

  std::string difference(serial_steps<T> const& serial, int f, int level, int c) const {
    Field<T, D> const& field = fields[f];
    auto const view = field.view(c, -level);
    box<D> const domain = grid.domain(field.on());
    std::string wrong;
    std::int64_t count = 0;
    for_each_cell(field.owned(), [&](cell_index<D> const& at) {
      axis_entries const cell = global(at);
      std::int64_t number = c;
      for (int a = 0; a < D; ++a)
        number = number * domain.extent(a) + cell[a];
      T const right = serial.values(f, level)[number];
      if (!is_same(view[at], right) && count++ == 0)
        wrong = fmt::format("field {} component {} level {} at ({}) is {} instead of {}", f, c,
                            -level, fmt::join(std::span(cell).first(D), ","), view[at], right);
    });
    return count == 0 ? "" : fmt::format("{} ({} differ)", wrong, count);
  }

  step_problem const& what_;
  bool is_turned_ = false;
};

} // namespace seam::testing
