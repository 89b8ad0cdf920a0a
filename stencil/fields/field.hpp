/// Field: values of one type on a grid's cells, faces or corners, with the ghosts that kernels
/// read.
///
///     auto u = grid.field<double>("u");
///     auto across = grid.field<double>("across", {.on = on_faces(0)});
///     auto f = grid.field<double>("f", {.components = 9});
///     u.fill([](position<2> x) { return std::sin(x[0]); });
///     u.boundary(dirichlet(0.0));
///     auto cells = u.view();                     // cells(i, j): owned values and ghosts
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/steps/stamps/loop_in_place.hpp>
#include <seam/stencil/fields/boundary.hpp>
#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/fields/field_view.hpp>
#include <seam/stencil/fields/grid.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

namespace seam {
namespace detail {

/// The type T with D stars: Kokkos' name of arrays with D dimensions.
template <class T, int D>
struct starred {
  using type = typename starred<T, D - 1>::type*;
};
template <class T>
struct starred<T, 0> {
  using type = T;
};

/// A Kokkos view that shares ownership of its memory with its copies.
template <class View>
class keeping_view : public View {
public:
  keeping_view(std::shared_ptr<std::byte> memory, typename View::array_layout const& extents)
      : View(reinterpret_cast<typename View::value_type*>(memory.get()), extents),
        memory_(std::move(memory)) {}

private:
  std::shared_ptr<std::byte> memory_;
};

/// The memory of a view, as a field takes it.
template <class View>
lent_memory lent_by(View const& values, bool is_kept_by_caller) {
  lent_memory made;
  auto const keeper = std::make_shared<View>(values);
  made.first = {keeper, reinterpret_cast<std::byte*>(values.data())};
  made.is_owned = is_kept_by_caller || values.use_count() > 0;
  std::int64_t expected = 1;
  for (int a = static_cast<int>(View::rank) - 1; a >= 0; --a) {
    auto const extent = static_cast<std::int64_t>(values.extent(a));
    made.extents.insert(made.extents.begin(), extent);
    made.is_dense =
        made.is_dense && (extent == 1 || static_cast<std::int64_t>(values.stride(a)) == expected);
    expected *= extent;
  }
  return made;
}

/// The kind of floating-point numbers T.
template <class T>
constexpr value_kind kind_of_numbers() {
  return std::is_same_v<T, float>      ? value_kind::floats
         : std::is_same_v<T, double>   ? value_kind::doubles
         : std::is_floating_point_v<T> ? value_kind::long_doubles
                                       : value_kind::other;
}

/// The kind of values of T: numbers, or complex numbers and std::arrays of them.
template <class T>
constexpr value_kind kind_of_values() {
  constexpr bool has_parts = requires(T const& value) {
    typename T::value_type;
    value.real();
  } || requires {
    typename T::value_type;
    std::tuple_size<T>::value;
  };
  if constexpr (std::is_same_v<T, bool>)
    return value_kind::boolean;
  else if constexpr (has_parts)
    return kind_of_numbers<typename T::value_type>();
  else
    return kind_of_numbers<T>();
}

/// The layout of a Kokkos view with these extents.
template <int D>
Kokkos::LayoutRight layout_of(cell_index<D> const& extents) {
  return std::apply([](auto... n) { return Kokkos::LayoutRight(n...); }, extents);
}

} // namespace detail

/// Who keeps the memory of a view that is passed to a field.
enum class memory_lifetime {
  of_view,  ///< the view, of which the field keeps a copy
  of_caller ///< the caller: until the field, its halos and steps are gone
};

/// The memory of a field's newest level, with names for its extents.
template <class T, int D>
struct field_storage {
  /// [components][n0 + ghosts]...[nD-1 + ghosts], the last axis contiguous.
  detail::keeping_view<Kokkos::View<typename detail::starred<T, D + 1>::type, Kokkos::LayoutRight,
                                    Kokkos::HostSpace>>
      values;
  int num_components;
  box<D> owned;                  ///< this rank's own values, in the indices of the last D axes
  detail::ghost_width<D> ghosts; ///< around them
};

/// A field, or some of its components, at one of its levels: an argument of a kernel's roles.
///
///     reads(u), reads(u[-1]), writes(f.components(0, 3))
template <class T, int D>
struct field_part {
  using value_type = T;
  std::shared_ptr<detail::field_state> state;
  int level = 0; ///< 0: newest, -1: the one before, ...
  int first = 0, count = 1;

  /// `n` components from `from` on.
  field_part components(int from, int n = 1) const { return {state, level, first + from, n}; }
};

namespace detail {

template <class T, int D>
field_part<T, D> part_of(field_part<T, D> const& part) {
  return part;
}
template <class T, int D>
field_part<T, D> part_of(Field<T, D> const& field) {
  return field.whole();
}

/// Fields on grids of D dimensions, and parts of them.
template <class Other, int D>
concept field_to_read = requires(Other const& other) {
  { part_of(other).state } -> std::convertible_to<std::shared_ptr<field_state>>;
};

/// A condition for borders of a field.
template <class T, int D, class Condition>
component_condition made_condition(Field<T, D> const& of, Condition const& condition) {
  static_assert(boundary_condition<Condition, T, D> || boundary_of_time<Condition, T, D>,
                "the condition makes no value of this field: dirichlet() and neumann() compute "
                "with numbers; outside() and functions of a ghost_cell serve all types");
  return condition_of<T, void, D>(of.grid(), of.on(), condition, {});
}

/// One that reads another field.
template <class T, int D, field_to_read<D> Other, class Condition>
component_condition made_condition(Field<T, D> const& of, Other const& other,
                                   Condition const& condition) {
  auto const part = part_of(other);
  using value = typename decltype(part)::value_type;
  static_assert(
      boundary_of_field<Condition, T, value, D>,
      "the condition makes no value of this field of a ghost_cell and a value of the other");
  if (part.level != 0 || part.count != 1)
    refuse("field '" + of.name() + "': a boundary condition that reads " +
           std::to_string(part.count) + " components of level " + std::to_string(part.level) +
           " of '" + part.state->name + "' (expected one component of level 0)");
  return condition_of<T, value, D>(of.grid(), of.on(), condition, {part.state, part.first});
}

} // namespace detail

/// The values of T that this rank owns on a Grid<D>, and ghosts around them. T is a number or any
/// other trivially copyable type.
///
/// A component's storage is [n0 + ghosts][n1 + ghosts]...[nD-1 + ghosts], the last axis contiguous.
/// Ghosts are as wide as the grid's neighborhood reaches; steps whose kernels reach farther widen
/// them when they are planned, which moves the storage. Move-only.
/// Threads: distinct cells from any thread; members that change the field from one.
template <class T, int D>
class Field {
  static_assert(std::is_trivially_copyable_v<T> && std::default_initializable<T>,
                "a field's values travel as plain bytes and begin as T{}: their type has to be "
                "trivially copyable and default-constructible");

public:
  using value_type = T;
  using state = detail::field_state;
  using storage_type = detail::keeping_view<
      Kokkos::View<typename detail::starred<T, D>::type, Kokkos::LayoutRight, Kokkos::HostSpace>>;

  /// A field named `name` on `grid`, T{} everywhere, ghosts included: zero, if T is a number. It is
  /// in shared memory of the node, so that halos read it in place (see shared_memory.hpp).
  /// @throws usage_error  no components, or no levels (on all ranks)
  /// Collective: over the grid.
  Field(Grid<D> const& grid, std::string const& name, field_options const& options = {})
      : grid_(grid) {
    T const first{};
    state_ =
        detail::make_field_state(grid.space(), name, options, std::as_bytes(std::span(&first, 1)),
                                 detail::kind_of_values<T>());
  }

  /// A field in the memory of a Kokkos view, with the values that it has:
  ///
  ///     Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> v("v", n0 + 2, n1 + 2);
  ///     seam::Field<double, 2> u(grid, "u", v);
  ///
  /// Between runs of steps the newest level is in the view. While they run it may be elsewhere, and
  /// comes back by a copy if an odd number of kernels has updated it. Its ghosts are those of the view:
  /// steps do not widen them, nor swap the field.
  /// @param values    [n0 + ghosts]...[nD-1 + ghosts], or [components] before that, in the host's
  ///                  memory; n the extents of grid.owned(options.on), ghosts as wide as the grid's, or
  ///                  wider and as many on both sides of an axis
  /// @param lifetime  of_caller, if the view does not own its memory
  /// @throws usage_error  the view has another layout, other extents, or does not own its memory (on
  ///                      all ranks)
  /// Collective: over the grid.
  template <class View>
    requires(Kokkos::is_view<View>::value)
  Field(Grid<D> const& grid, std::string const& name, View const& values,
        field_options const& options = {}, memory_lifetime lifetime = memory_lifetime::of_view)
      : grid_(grid) {
    static_assert(std::is_same_v<typename View::value_type, T> &&
                      std::is_same_v<typename View::non_const_value_type, T>,
                  "a field on a view has the view's type of values, which is not const");
    static_assert(
        Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible,
        "a field lies in memory that the host can access");
    T const first{};
    state_ =
        detail::make_field_state(grid.space(), name, options, std::as_bytes(std::span(&first, 1)),
                                 detail::kind_of_values<T>(),
                                 detail::lent_by(values, lifetime == memory_lifetime::of_caller));
  }

  std::string const& name() const noexcept { return state_->name; }
  Grid<D> const& grid() const noexcept { return grid_; }
  centering on() const noexcept { return state_->options.on; }
  int num_components() const noexcept { return state_->options.components; }
  int num_levels() const noexcept { return state_->options.levels; }

  /// Ghost layers that are stored on this rank.
  detail::ghost_width<D> ghosts() const { return detail::unpadded<D>(state_->width); }

  /// Owned values and ghosts by indices relative to this rank's block. Valid until the storage
  /// moves or is swapped, which loops and steps do.
  /// @param component  0 to num_components() - 1
  /// @param level      0: newest, -1: the one before, ...
  /// @throws usage_error  there is no such component or level
  template <class Watch = detail::view_watch<T>>
  field_view<T, D, Watch> view(int component = 0, int level = 0) {
    auto const made = make_view<T, Watch>(component, level);
    state_->note_set(component);
    return made;
  }
  template <class Watch = detail::view_watch<T const>>
  field_view<T const, D, Watch> view(int component = 0, int level = 0) const {
    return make_view<T const, Watch>(component, level);
  }

  /// The memory of the newest level as a Kokkos view, index 0 being the first ghost; components
  /// follow each other along axis 0. It shares ownership. What is done with it is not checked: for
  /// checked mode the caller has filled all ghosts in the moment of this call.
  storage_type storage() const {
    detail::check_touch(name());
    state_->note_set();
    state_->vouch_for_ghosts();
    cell_index<D> extents = local().extents();
    extents[0] *= num_components();
    return {state_->buffers.front(), detail::layout_of<D>(extents)};
  }

  /// As storage(), with an axis for components, and names for what the extents are made of.
  field_storage<T, D> named_storage() const {
    static_cast<void>(storage()); // the caller may write
    auto const extents = local().extents();
    auto const make = [&](auto... n) { return Kokkos::LayoutRight(num_components(), n...); };
    box<D> own = owned();
    for (int a = 0; a < D; ++a) {
      own.lo[a] += ghosts().below[a];
      own.hi[a] += ghosts().below[a];
    }
    return {{state_->buffers.front(), std::apply(make, extents)}, num_components(), own, ghosts()};
  }

  /// Owned values in the indices of view(): {0, extents}.
  box<D> owned() const { return detail::unpadded<D>(state_->owned()); }

  /// The field at an older level; the whole field, and some of its components: for roles, which
  /// refuse levels and components that there are not when steps are planned.
  field_part<T, D> operator[](int level) const { return {state_, level, 0, num_components()}; }
  field_part<T, D> whole() const { return (*this)[0]; }
  field_part<T, D> components(int from, int n = 1) const { return whole().components(from, n); }

  /// Sets every owned value of all components, or of `component`, to `value`, or to value(place) if
  /// it is a function of the position. Ghosts and older levels stay.
  /// @throws usage_error  there is no such component
  /// Local.
  /// Threads: `value` is called by several at a time.
  template <class Value, class Watch = detail::view_watch<T>>
  void fill(Value const& value) {
    for (int c = 0; c < num_components(); ++c)
      fill<Value, Watch>(c, value);
  }
  template <class Value, class Watch = detail::view_watch<T>>
  void fill(int component, Value const& value) {
    cell_index<D> const first = grid().owned().lo;
    detail::parallel_for_cells("seam::fill", owned(),
                               [=, where = on(), cells = view<Watch>(component),
                                geometry = grid().geometry()](cell_index<D> const& at) {
                                 cell_index<D> global = at;
                                 for (int a = 0; a < D; ++a)
                                   global[a] += first[a];
                                 cells[at] = static_cast<T>(
                                     detail::value_at<D>(value, geometry.place(global, where)));
                               });
  }

  /// Uses `condition` on every border of the domain (see boundary.hpp).
  template <class Condition>
  void boundary(Condition const& condition) {
    for (int axis = 0; axis < D; ++axis)
      for (side end : {side::low, side::high})
        boundary(axis, end, condition);
  }

  /// Uses `condition` on one border, for all components or one. Without effect where the grid is
  /// periodic.
  /// @throws usage_error  the grid has no such axis, or the field no such component
  template <class Condition>
  void boundary(int axis, side end, Condition const& condition, int component = -1) {
    state_->set_condition(axis, end, component, detail::made_condition(*this, condition));
  }

  /// As boundary(condition), with conditions that read the newest level of another field as well:
  ///
  ///     u.boundary(w, [](ghost_cell<double, 2> const& ghost, double w) { return 2 * w - ghost.inside; });
  ///
  /// @param other      a field on the same grid and at the same places of its cells, or one component of
  ///                   it; it lives as long as the condition is used. Steps bring its values as they bring
  ///                   those that kernels read; before fill_borders() its halo has to run.
  /// @param condition  maps a ghost cell, the other's value there (see boundary.hpp), and, if it likes,
  ///                   the time to the ghost's value
  /// @throws usage_error  the other lies elsewhere, or is of several components
  /// Collective: over the grid, without messages: steps that ran before are planned anew.
  template <class Other, class Condition>
    requires detail::field_to_read<Other, D>
  void boundary(Other const& other, Condition const& condition) {
    for (int axis = 0; axis < D; ++axis)
      for (side end : {side::low, side::high})
        boundary(axis, end, other, condition);
  }
  template <class Other, class Condition>
    requires detail::field_to_read<Other, D>
  void boundary(int axis, side end, Other const& other, Condition const& condition,
                int component = -1) {
    state_->set_condition(axis, end, component, detail::made_condition(*this, other, condition));
  }

  /// Fills the ghosts beyond the domain from the owned cells and the ghosts of other ranks.
  /// @throws usage_error  a border has no condition
  /// Local.
  void fill_borders() { state_->fill_borders(state_->local(), detail::by_threads::all); }

  /// Fills only the ghosts beyond the domain from which new values of `tile` are computed. Other
  /// ghosts may still be in flight.
  ///
  /// @param tile  owned cells, in the indices of view(); the ghosts of other ranks' cells in
  ///              grid().read_by(tile) have arrived (see PartitionedHalo)
  /// @throws usage_error  a border has no condition
  /// Local.
  /// Threads: one at a time, and no other may compute a neighboring tile meanwhile: ghosts that two
  /// tiles read are filled for each.
  void fill_borders(box<D> const& tile) {
    state_->fill_borders(detail::padded(grid().read_by(tile)), detail::by_threads::caller);
  }

  /// For loops that read ghosts and write the field at once, such as red-black sweeps by hand: while
  /// the object that is returned lives, ghosts that are up to date remain so, whatever is written. At
  /// its end they are out of date if values have changed. Without effect in builds without checks.
  /// Local.
  [[nodiscard]] detail::loop_in_place in_place() {
    return detail::loop_in_place(state_->buffers.front());
  }

  /// This field's array for an exchange along a plan of its layout.
  /// @throws usage_error  T has no + for a sum, or no < for a minimum or maximum.
  /// Local.
  exchanged_array exchanged(reduction how = reduction::replace) const {
    detail::check_touch(name());
    auto array =
        exchanged_array::of(reinterpret_cast<T*>(state_->buffers.front().get()), how, name());
    array.watch = state_->watch(true);
    array.data_now = [state = state_] { return state->buffers.front().get(); };
    array.moved = "the storage of field '" + name() +
                  "' has been swapped since the halo was made (expected a halo made after the last "
                  "sweep)";
    return array;
  }

  /// The field's contents, shared with the loops and halos that work on it.
  std::shared_ptr<state> const& shared() const noexcept { return state_; }

private:
  template <class Value, class Watch>
  field_view<Value, D, Watch> make_view(int component, int level) const {
    detail::check_touch(name());
    state_->check_view(component, level);
    auto const& buffer = state_->buffers[-level];
    auto const memory = state_->component(buffer, component);
    auto* const origin = reinterpret_cast<T*>(memory.origin);
    if constexpr (std::is_empty_v<Watch>)
      return {origin, local()};
    else
      return {
          origin, local(), {state_->stamps(buffer), origin - reinterpret_cast<T*>(buffer.get())}};
  }

  box<D> local() const { return detail::unpadded<D>(state_->local()); }

  Grid<D> grid_;
  std::shared_ptr<state> state_;
};

} // namespace seam
