/// Boundary conditions: values of the ghosts beyond borders of the domain that are not periodic.
///
///     u.boundary(dirichlet(0.0));
///     u.boundary(0, side::low, neumann([](position<2> x) { return x[1]; }));
///     u.boundary(0, side::high, w, [](auto const& ghost, double w) { return w - ghost.inside; });
///
/// A condition is a function of one ghost cell. Its argument holds the place of the ghost, and the
/// value of the cell as deep inside the domain as the ghost lies outside (its mirror image):
///
///     mirror  | inside |  ||  | ghost |        the domain's border: ||
///                 distance ------>
///
/// Faces and corners on the border itself are owned, not ghosts: the mirror image of the first face
/// beyond the border is the first one inside.
///
/// A condition may read another field on the same cells: its value inside the domain, at the ghost's
/// place mirrored at each border beyond which the ghost lies.
///
/// sees() lets a condition see more values inside than the mirror image; linear_extrapolation(),
/// quadratic_extrapolation() and outflow() are conditions of this kind.
///
/// Axis 0 comes first: all ghosts along its two borders are filled, then those along the borders of
/// axis 1, then of axis 2. So a ghost at a corner has the value of the condition on the border of the
/// last axis beyond which it lies, and what this condition sees inside are ghosts filled before:
///
///      c0 | c0     || c1        axis 0 points upwards, axis 1 to the right; c0, c1: the condition of
///      ===+========||===        axis 0, of axis 1
///         | inside || c1
///
/// Along a periodic axis a ghost has the coordinate of the cell that it copies, inside the domain;
/// along the other axes ghosts at corners lie outside the domain.
#pragma once

#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/fields/field_view.hpp>
#include <seam/stencil/fields/ghost_cell.hpp>
#include <seam/stencil/fields/grid.hpp>
#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/domain_images.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

namespace detail {

/// `value` itself, or its result at a place if it is a function.
template <int D, class Value>
KOKKOS_INLINE_FUNCTION auto value_at(Value const& value, position<D> const& place) {
  if constexpr (std::invocable<Value const&, position<D> const&>)
    return value(place);
  else
    return value;
}

/// rule(ghost, v), where v is a number or the value of a function at place(ghost).
template <class Value, class Place, class Rule>
struct condition_with_value {
  Value value;
  Place place;
  Rule rule;

  template <class T, int D>
  KOKKOS_INLINE_FUNCTION auto value_for(ghost_cell<T, D> const& ghost) const {
    return value_at<D>(value, place(ghost));
  }

  template <class T, int D>
    requires requires(Value const& given, Place const& where, Rule const& apply,
                      ghost_cell<T, D> const& ghost) {
      static_cast<T>(apply(ghost, value_at<D>(given, where(ghost))));
    }
  KOKKOS_INLINE_FUNCTION T operator()(ghost_cell<T, D> const& ghost) const {
    return static_cast<T>(rule(ghost, value_for(ghost)));
  }
};

/// Conditions with a function of the place, whose values are kept in a table.
template <class Condition, int D>
concept asks_a_function = requires(Condition const& condition, position<D> const& place) {
  condition.rule;
  condition.value(place);
};

// Places and rules are structs: compilers for devices take no plain lambdas.

struct at_border {
  template <class Ghost>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost) const {
    return ghost.border;
  }
};
struct at_centre {
  template <class Ghost>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost) const {
    return ghost.centre;
  }
};

/// Rules that give the value itself, whatever lies inside.
struct value_alone {
  template <class Ghost, class Value>
  KOKKOS_INLINE_FUNCTION Value operator()(Ghost const&, Value given) const {
    return given;
  }
};
struct value_on_border {
  template <class Ghost, class Value>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost, Value given) const
      -> decltype(2 * given - ghost.inside) {
    return 2 * given - ghost.inside;
  }
};
struct slope_on_border {
  template <class Ghost, class Value>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost, Value given) const
      -> decltype(ghost.inside + ghost.distance * given) {
    return ghost.inside + ghost.distance * given;
  }
};

/// True for conditions that may hold handles of values which change while steps run: functions that
/// capture something, and dirichlet() and its like of a handle, which is no plain number.
template <class Condition, int D>
constexpr bool may_read_values() {
  if constexpr (asks_a_function<Condition, D>)
    return false;
  else if constexpr (is_far<Condition>)
    return may_read_values<decltype(Condition::condition), D>();
  else if constexpr (requires(Condition const& condition) { condition.rule; })
    return !std::is_trivially_copyable_v<decltype(Condition::value)>;
  else
    return !std::is_empty_v<Condition>;
}

/// True for conditions whose ghosts depend on nothing but their place.
template <class Condition, int D>
inline constexpr bool is_fixed_condition =
    !may_read_values<Condition, D>() && requires(Condition const& condition) {
      requires std::is_same_v<std::remove_cvref_t<decltype(condition.rule)>, value_alone>;
    };

/// True for conditions that get the time: they are no functions of what else they read alone.
/// @tparam S  type of the other field's values, or void
template <class Condition, class T, class S, int D>
constexpr bool reads_time() {
  if constexpr (std::is_void_v<S>)
    return !boundary_condition<Condition, T, D>;
  else
    return !requires(Condition const& condition, ghost_for<Condition, T, D> const& ghost, S other) {
      condition(ghost, other);
    };
}

template <class Place, class Rule, class Value>
condition_with_value<Value, Place, Rule> with_value(Value value) {
  return {std::move(value), {}, {}};
}

} // namespace detail

/// The field equals `value` on the border; the ghost extrapolates linearly (second order).
/// @param value  a number, or a function of the position on the border, called once for each ghost
template <class Value>
auto dirichlet(Value value) {
  return detail::with_value<detail::at_border, detail::value_on_border>(std::move(value));
}

/// The field's derivative along the outward normal equals `slope` on the border (second order).
/// @param slope  a number, or a function of the position on the border, called once for each ghost
template <class Value>
auto neumann(Value slope) {
  return detail::with_value<detail::at_border, detail::slope_on_border>(std::move(slope));
}

/// The ghosts themselves hold `value`.
/// @param value  of the field's type, or a function of the position of the ghost's centre, called
///               once for each
template <class Value>
auto outside(Value value) {
  return detail::with_value<detail::at_centre, detail::value_alone>(std::move(value));
}

namespace detail {

/// A number of layers as a factor of values of type T.
template <class T>
KOKKOS_INLINE_FUNCTION auto layers_as(std::int64_t layers) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(layers);
  else
    return static_cast<double>(layers);
}

/// What the conditions below compute with: the ghost's layer and a value, as factor and as term.
template <class Ghost>
KOKKOS_INLINE_FUNCTION auto layer_of(Ghost const& ghost) {
  return layers_as<std::decay_t<decltype(ghost.inside(0))>>(ghost.layer);
}

struct beyond_line {
  template <class Ghost>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost) const
      -> decltype(layer_of(ghost) * ghost.inside(0)) {
    auto const n = layer_of(ghost);
    return (n + 1) * ghost.inside(0) - n * ghost.inside(1);
  }
};
struct beyond_parabola {
  template <class Ghost>
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost) const
      -> decltype(layer_of(ghost) * ghost.inside(0)) {
    auto const n = layer_of(ghost);
    return (n + 1) * (n + 2) / 2 * ghost.inside(0) - n * (n + 2) * ghost.inside(1) +
           n * (n + 1) / 2 * ghost.inside(2);
  }
};
struct beyond_outflow {
  template <class Ghost>
    requires requires(Ghost const& ghost) { layer_of(ghost) * ghost.inside(0) < ghost.inside(1); }
  KOKKOS_INLINE_FUNCTION auto operator()(Ghost const& ghost) const {
    auto const near = ghost.inside(0) - ghost.inside(1), next = ghost.inside(1) - ghost.inside(2);
    bool const is_extreme = (near < 0) != (next < 0);
    auto const slope = (near < 0 ? near < next : next < near) ? next : near;
    return ghost.inside(0) + layer_of(ghost) * (is_extreme ? 0 * near : slope);
  }
};

} // namespace detail

/// The line through the two values next to the border goes on beyond it (second order).
inline auto linear_extrapolation() { return sees(1, detail::beyond_line()); }

/// The parabola through the three values next to the border goes on beyond it (third order).
inline auto quadratic_extrapolation() { return sees(2, detail::beyond_parabola()); }

/// Lets waves leave: a line with the flatter of the two slopes next to the border (minmod), and with
/// none if these have different signs, so that ghosts add no extreme. Second order where values rise
/// or fall toward the border, first order at extremes.
inline auto outflow() { return sees(2, detail::beyond_outflow()); }

/// The borders of the domain that `grid`'s block touches and that are not periodic, in the order in
/// which their ghosts are filled: for fields on cells with the ghosts of the grid's neighborhood.
/// Local.
template <int D>
std::vector<border<D>> borders_of(Grid<D> const& grid) {
  std::vector<border<D>> borders;
  for (auto const& where : detail::borders_of(*grid.space(), on_cells, grid.space()->ghosts()))
    if (!where.ghosts.is_empty())
      borders.push_back(detail::unpadded<D>(where));
  return borders;
}

/// Fills ghosts beyond one border by one condition, any number of times. Functions of the condition
/// are called once for each ghost, when the filler is made.
/// Threads: one at a time.
/// @tparam S  type of the other field's values, if the condition reads one
template <class T, int D, class Condition, class S = void>
class border_filler {
public:
  /// @param condition  maps a ghost_cell<T, D>, and what else it reads, to a T
  /// @param on         where the values lie
  border_filler(Grid<D> const& grid, border<D> const& where, Condition condition,
                centering on = on_cells)
      : on_(on),
        geometry_(grid.geometry()),
        domain_(grid.domain().hi),
        first_(grid.owned().lo),
        where_(where),
        mirrored_(detail::mirror_sum(*grid.space(), on, detail::padded_axis<D>(where.axis),
                                     where.side) -
                  2 * grid.owned().lo[where.axis]),
        nearest_((where.side == side::low ? grid.domain(on).lo : grid.domain(on).hi)[where.axis] -
                 (where.side == side::low ? 0 : 1) - first_[where.axis]),
        images_(*grid.space(), on, grid.space()->owned().lo),
        condition_(std::move(condition)) {
    for (int axis = 0; axis < D; ++axis)
      is_periodic_[axis] = grid.is_periodic(axis);
    if constexpr (detail::asks_a_function<Condition, D>) {
      // In two steps: the standard library of GCC 11 makes no shared arrays.
      table_ = std::shared_ptr<given[]>(new given[where.ghosts.num_cells()]());
      for_each_cell(where.ghosts, [&](cell_index<D> const& at) {
        given_at(at) = condition_.value_for(ghost_at(T{}, at));
      });
    }
  }

  /// Fills the ghosts of `cells` in `part`, a part of the border's ghosts.
  void operator()(detail::bare_view<T, D> const& cells, box<D> const& part,
                  detail::by_threads threads = detail::by_threads::all,
                  detail::border_inputs const& inputs = {}) const {
    auto const fill = [=, this](box<D> const& ghosts) {
      if (rows_are_short())
        fill_columns(cells, ghosts, inputs);
      else
        for_each_row(ghosts, [&](cell_index<D> const& first, std::int64_t end) {
          fill_row(cells, first, end - first[D - 1], inputs);
        });
    };
    if (threads == detail::by_threads::caller)
      return fill(part);
    detail::parts_of<D> const parts(part);
    detail::parallel_for_parts("seam::borders", parts.size(), [=](int p) { fill(parts[p]); });
  }

private:
  using ghost = detail::ghost_for<Condition, T, D>;

  /// The type that the condition's function returns.
  template <class C>
  static auto type_given() {
    if constexpr (detail::asks_a_function<C, D>)
      return std::type_identity<
          std::decay_t<decltype(std::declval<C const&>().value(position<D>{}))>>{};
    else
      return std::type_identity<char>{};
  }
  using given = typename decltype(type_given<Condition>())::type;

  /// Fills `count` ghosts from `first` on along the last axis.
  void fill_row(detail::bare_view<T, D> const& cells, cell_index<D> const& first,
                std::int64_t count, detail::border_inputs const& inputs) const {
    bool const is_reversed = where_.axis == D - 1;
    cell_index<D> source = mirror_of(first);
    source[D - 1] -= is_reversed ? count - 1 : 0;
    T const* const sources = detail::bare_view<T const, D>(cells).row(source, count);
    T const* const from = is_reversed ? sources + count - 1 : sources;
    std::int64_t const step = is_reversed ? -1 : 1;
    T* const to = cells.row(first, count);
    cell_index<D> at = first;
    for (std::int64_t k = 0; k < count; ++k, ++at[D - 1])
      to[k] = value_of(at, inside_of(cells, at, from[k * step]), inputs);
  }

  /// True if the border is one of the last axis, where a row has no more cells than ghosts are deep.
  bool rows_are_short() const { return D > 1 && where_.axis == D - 1; }

  /// Fills `ghosts` along the last axis but one.
  void fill_columns(detail::bare_view<T, D> cells, box<D> const& ghosts,
                    detail::border_inputs const& inputs) const {
    constexpr int along = std::max(0, D - 2);
    detail::bare_view<T const, D> const inside(cells);
    box<D> firsts = ghosts;
    firsts.hi[along] = std::min(ghosts.hi[along], ghosts.lo[along] + 1);
    for_each_cell(firsts, [&](cell_index<D> at) {
      for (; at[along] < ghosts.hi[along]; ++at[along])
        cells[at] = value_of(at, inside_of(cells, at, inside[mirror_of(at)]), inputs);
    });
  }

  /// What the condition sees inside from the ghost at `at`, whose mirror image's value is `mirrored`.
  auto inside_of([[maybe_unused]] detail::bare_view<T, D> const& cells,
                 [[maybe_unused]] cell_index<D> at, T mirrored) const {
    if constexpr (detail::is_far<Condition>) {
      std::int64_t stride = where_.side == side::low ? 1 : -1;
      for (int a = where_.axis + 1; a < D; ++a)
        stride *= cells.local().extent(a);
      at[where_.axis] = nearest_;
      return values_inside<T>(mirrored, &cells[at], stride, condition_.depth);
    } else {
      return mirrored;
    }
  }

  /// The value of the ghost at `at`.
  template <class Inside>
  T value_of(cell_index<D> const& at, Inside const& inside,
             [[maybe_unused]] detail::border_inputs const& inputs) const {
    ghost const beyond = ghost_at(inside, at);
    if constexpr (!std::is_void_v<S>)
      return value_beside(beyond, other_at(at, inputs), inputs.time);
    else if constexpr (detail::asks_a_function<Condition, D>)
      return static_cast<T>(condition_.rule(beyond, given_at(at)));
    else if constexpr (boundary_condition<Condition, T, D>)
      return static_cast<T>(condition_(beyond));
    else
      return static_cast<T>(condition_(beyond, inputs.time));
  }

  /// The value of a ghost, of a condition that reads `other`.
  template <class Other>
  T value_beside(ghost const& beyond, Other other, [[maybe_unused]] double time) const {
    if constexpr (requires { condition_(beyond, other); })
      return static_cast<T>(condition_(beyond, other));
    else
      return static_cast<T>(condition_(beyond, other, time));
  }

  /// The other field's value at the image of a ghost.
  auto other_at(cell_index<D> const& at, detail::border_inputs const& inputs) const {
    auto const* const origin = reinterpret_cast<S const*>(inputs.other.origin);
    auto const image = detail::unpadded<D>(images_.inside(detail::padded(at)));
    return detail::bare_view<S const, D>(origin, detail::unpadded<D>(inputs.other.local))[image];
  }

  /// The table's entry for a ghost.
  given& given_at(cell_index<D> const& at) const {
    return table_[detail::number_in<D>(at, where_.ghosts)];
  }

  cell_index<D> mirror_of(cell_index<D> at) const {
    auto& across = at[where_.axis];
    across = mirrored_ - across;
    return at;
  }

  /// The global index of `at`; on periodic axes the index of the cell that it copies.
  cell_index<D> global(cell_index<D> at) const {
    for (int a = 0; a < D; ++a) {
      at[a] += first_[a];
      if (is_periodic_[a] && (at[a] < 0 || at[a] >= domain_[a]))
        at[a] = detail::floor_modulo(at[a], domain_[a]);
    }
    return at;
  }

  template <class Inside>
  ghost_cell<T, D, Inside> ghost_at(Inside const& inside, cell_index<D> const& at) const {
    int const a = where_.axis;
    position<D> const centre = geometry_.place(global(at), on_);
    std::int64_t const across = mirror_of(at)[a] - at[a];
    double const steps = 0.5 * static_cast<double>(across);
    ghost_cell<T, D, Inside> made{.inside = inside,
                                  .centre = centre,
                                  .border = centre,
                                  .distance = 0,
                                  .layer = (std::abs(across) + 1) / 2};
    made.border[a] += steps * geometry_.spacing[a];
    made.distance = 2 * std::abs(steps) * geometry_.spacing[a];
    return made;
  }

  centering on_;
  cell_geometry<D> geometry_;
  cell_index<D> domain_; ///< cells of the whole grid
  std::array<bool, static_cast<std::size_t>(D)> is_periodic_{};
  cell_index<D> first_; ///< global index of the block's first cell
  border<D> where_;
  std::int64_t mirrored_; ///< sum of the local indices of a ghost and its mirror image
  std::int64_t nearest_;  ///< local index, across the border, of the values next to it
  detail::domain_images images_;
  Condition condition_;
  std::shared_ptr<given[]> table_; ///< one value for each ghost, in their order
};

namespace detail {

/// A view of the values in memory.
template <class T, int D>
bare_view<T, D> view_in(component_memory const& memory) {
  return {reinterpret_cast<T*>(memory.origin), unpadded<D>(memory.local)};
}

/// A condition for a field of T that reads values of S, or of no other field.
template <class T, class S, int D, class Condition>
component_condition condition_of(Grid<D> const& grid, centering on, Condition const& condition,
                                 border_source source) {
  auto const make = [grid, on, condition](border<3> const& there) {
    border_filler<T, D, Condition, S> const filler(grid, unpadded<D>(there), condition, on);
    return border_fill([filler](component_memory const& memory, box3 const& part,
                                border_inputs const& inputs, by_threads threads) {
      filler(view_in<T, D>(memory), unpadded<D>(part), threads, inputs);
    });
  };
  component_condition made{make, std::is_void_v<S> && is_fixed_condition<Condition, D>,
                           std::move(source), reads_time<Condition, T, S, D>(),
                           may_read_values<Condition, D>()};
  if constexpr (is_far<Condition>)
    made.num_seen = condition.depth + 1;
  return made;
}

} // namespace detail

} // namespace seam
