/// Field: values of one type on the cells of a grid, with the ghosts that its kernels read.
///
///     auto u = grid.field<double>("u");
///     u.fill([](position<2> x) { return std::sin(x[0]); });
///     u.boundary(dirichlet(0.0));
///     auto cells = u.view();                     // cells(i, j): owned cells and ghosts
#pragma once

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/boundary.hpp>
#include <seam/stencil/detail/parallel.hpp>
#include <seam/stencil/field_view.hpp>
#include <seam/stencil/grid.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

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
  keeping_view(std::shared_ptr<typename View::value_type[]> memory,
               typename View::array_layout const& extents)
      : View(memory.get(), extents), memory_(std::move(memory)) {}

private:
  std::shared_ptr<typename View::value_type[]> memory_;
};

} // namespace detail

/// The values of T that this rank owns on a Grid<D>, and ghosts around them. T is a number or any
/// other trivially copyable type.
///
/// Storage is [n0 + ghosts][n1 + ghosts]...[nD-1 + ghosts], the last axis contiguous. Move-only.
/// Threads: distinct cells from any thread; members that change the field from one.
template <class T, int D>
class Field {
  static_assert(std::is_trivially_copyable_v<T> && std::default_initializable<T>,
                "a field's values travel as plain bytes and begin as T{}: their type has to be "
                "trivially copyable and default-constructible");

public:
  using value_type = T;
  using storage_type = detail::keeping_view<
      Kokkos::View<typename detail::starred<T, D>::type, Kokkos::LayoutRight, Kokkos::HostSpace>>;

  /// A field named `name` on `grid`, T{} everywhere, ghosts included: zero, if T is a number. It is
  /// in shared memory of the node, so that halos read it in place (see shared_memory.hpp).
  /// Collective: over the grid.
  Field(Grid<D> grid, std::string name);

  std::string const& name() const noexcept { return state_->name; }
  Grid<D> const& grid() const noexcept { return state_->grid; }

  /// Owned cells and ghosts by indices relative to this rank's block.
  field_view<T, D> view() { return state_->view(); }
  field_view<T const, D> view() const { return state_->view(); }

  /// The field's memory as a Kokkos view, index 0 being the first ghost; it shares ownership.
  storage_type const& storage() const {
    detail::check_touch(name());
    return state_->storage;
  }

  /// Owned cells in the indices of view(): {0, extents}.
  box<D> owned() const noexcept { return {{}, grid().owned().extents()}; }

  /// Sets every owned cell to `value`, or to value(centre) if it is a function of the position.
  template <class Value>
  void fill(Value const& value) {
    cell_index<D> const first = grid().owned().lo;
    detail::parallel_for_cells(
        "seam::fill", owned(),
        [=, cells = view(), geometry = grid().geometry()](cell_index<D> const& at) {
          cell_index<D> global = at;
          for (std::size_t a = 0; a < at.size(); ++a)
            global[a] += first[a];
          cells[at] = static_cast<T>(detail::value_at<D>(value, geometry.centre(global)));
        });
  }

  /// Uses `condition` on every border of the domain (see boundary.hpp).
  template <class Condition>
  void boundary(Condition const& condition) {
    for (int axis = 0; axis < D; ++axis)
      for (side end : {side::low, side::high})
        boundary(axis, end, condition);
  }

  /// Uses `condition` on one border. Without effect where the grid is periodic.
  /// @throws usage_error  the grid has no such axis
  template <class Condition>
  void boundary(int axis, side end, Condition const& condition) {
    static_assert(boundary_condition<Condition, T, D>,
                  "the condition makes no value of this field: dirichlet() and neumann() compute "
                  "with numbers; outside() and functions of a ghost_cell serve all types");
    state_->check_axis(axis);
    for (auto& [where, fill] : state_->borders)
      if (where.axis == axis && where.side == end)
        fill = border_filler<T, D, Condition>(grid(), where, condition);
  }

  /// Fills the ghosts beyond the domain from the owned cells and the ghosts of other ranks.
  /// @throws usage_error  a border has no condition
  /// Local.
  void fill_borders() {
    state_->check_borders();
    for (auto const& [where, fill] : state_->borders)
      fill(view(), where.ghosts, detail::by_threads::all);
  }

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
    state_->check_borders();
    box<D> const read = grid().read_by(tile);
    for (auto const& [where, fill] : state_->borders)
      fill(view(), intersection(where.ghosts, read), detail::by_threads::caller);
  }

  /// This field's array for an exchange along its grid's halo plan.
  /// @throws usage_error  T has no + for a sum, or no < for a minimum or maximum.
  /// Local.
  exchanged_array exchanged(reduction how = reduction::replace) const {
    detail::check_touch(name());
    auto array = exchanged_array::of(state_->storage.data(), how, name());
    array.data_now = [state = state_] {
      return reinterpret_cast<std::byte const*>(state->storage.data());
    };
    array.moved = "the storage of field '" + name() +
                  "' has been swapped since the halo was made (expected a halo made after the last "
                  "sweep)";
    return array;
  }

  /// A border of the domain that this rank's block touches, and the filler of its ghosts.
  struct filled_border {
    border<D> where;
    std::function<void(field_view<T, D> const&, box<D> const&, detail::by_threads)> fill;
  };

  /// The field's contents, shared with the loops and halos that work on it.
  struct state {
    std::string name;
    Grid<D> grid;
    storage_type storage;
    std::vector<filled_border> borders; ///< in the order in which they are filled

    field_view<T, D> view() const;
    /// Throws usage_error if the grid has no such axis.
    void check_axis(int axis) const;
    /// Throws usage_error if a border has no condition.
    void check_borders() const;
  };
  std::shared_ptr<state> const& shared() const noexcept { return state_; }

private:
  std::shared_ptr<state> state_;
};

} // namespace seam

#include <seam/stencil/detail/field.ipp>
