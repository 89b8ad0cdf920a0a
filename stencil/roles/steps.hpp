/// Steps: a program of kernels that declare what they read and write. Ghosts, messages, their order
/// and overlap with computing follow from the declarations.
///
///     Value<double> dt("dt");
///     Steps step(grid);
///     step.each("limit", minimum(dt), reads(u), SEAM_KERNEL(auto least, auto u) { least(1 / u()); });
///     step.each("advance", updates(u, star(1)), with(dt), SEAM_KERNEL(auto u, double h) {
///       u = u() + h * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u());
///     });
///     step.run(1000);
///
/// Semantics:
///   - kernels run as if one after another, each at all its places at once: reads give the values
///     before the kernel, whatever it writes; in_colors() and in_order() let it read its own new ones
///   - a kernel reads a field at the offsets that it declares, and at the place itself
///   - values between runs are the caller's: run() takes them as they are, and sends what it needs
///   - numbers that change come through with(): a kernel's captures are copied when it is declared
///   - results have the same bits on any ranks and threads
///
/// The arguments of roles are the kernel's parameters, in their order (step_roles.hpp); a place<D>
/// may be the last. A kernel may be called more than once for a place, so it has no side effects;
/// when steps are planned it is called a few times on made-up values, to compare what it reads and
/// writes with what it declares.
#pragma once

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/roles/step_runs.hpp>
#include <seam/stencil/roles/step_roles.hpp>
#include <seam/stencil/roles/step_views.hpp>
#include <seam/stencil/space/grid_kernels.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam {

/// The order in which a kernel takes the layers of cells along an axis.
enum class axis_order { forward, backward };

/// A part of a border of the domain: layers of owned values along it.
struct border_layers {
  int axis;
  side end;
  int layers = 1;
};

/// The kernel that each() has added, for what applies to few.
template <int D>
class kernel_options {
public:
  kernel_options(detail::step_machine& machine, detail::step_kernel& kernel)
      : machine_(&machine), kernel_(&kernel) {}

  /// Only in the cells of a box, as far as it lies in the domain; all that the kernel writes keeps its
  /// values elsewhere. A kernel that adds is called at all places, also outside, from which it adds to
  /// values inside.
  /// @param cells  in global indices; the same on all ranks
  kernel_options& where(box<D> const& cells) {
    kernel_->where = [all = detail::padded(cells)](detail::box3 const&) { return all; };
    return *this;
  }

  /// Only in some layers along a border.
  /// @throws usage_error  no such axis, or a negative number of layers
  kernel_options& where(border_layers const& layers) {
    detail::check_layers(kernel_->name, layers.axis, layers.layers, D);
    kernel_->where = [layers](detail::box3 const& domain) {
      int const a = detail::padded_axis<D>(layers.axis);
      detail::box3 cells = domain;
      if (layers.end == side::low)
        cells.hi[a] = std::min(domain.hi[a], domain.lo[a] + layers.layers);
      else
        cells.lo[a] = std::max(domain.lo[a], domain.hi[a] - layers.layers);
      return cells;
    };
    return *this;
  }

  /// As a box, but only where `mask` is not zero, of cells, faces or corners like those at which the
  /// kernel is called. The mask may change between runs, and be written by other kernels; the newest
  /// level counts.
  /// @param mask  numbers of one component, on the kernel's grid, that lie where it is called and
  ///              that it does not write itself (else plan() throws usage_error)
  /// Cost: the mask is read, and the loop begins anew behind each gap in a row.
  template <class M>
  kernel_options& where(Field<M, D> const& mask);

  /// Only in every n-th step, beginning with step `phase`: every(2) in even steps, every(2, 1) in odd
  /// ones. Steps are counted by num_steps(), over all runs.
  /// @param phase  0 to n - 1 (else plan() throws usage_error)
  kernel_options& every(std::int64_t n, std::int64_t phase = 0) {
    kernel_->every = n;
    kernel_->phase = phase;
    return *this;
  }

  /// The kernel may write nan and infinite values: checked mode does not tell of them.
  kernel_options& allow_not_finite() {
    kernel_->allows_not_finite = true;
    return *this;
  }

  /// One color after another: the places whose indices have a sum that leaves the same remainder.
  kernel_options& in_colors(int count = 2) {
    kernel_->num_colors = count;
    return *this;
  }

  /// One layer of cells after another along an axis, so that modifies() reads at offsets to the layers
  /// before what the kernel has made of them, and at those to the layers behind the old values. Both
  /// may be read of the kernel's own line of cells alone; what it does not write, anywhere. Ghosts
  /// beyond borders have the values that their conditions give before the kernel.
  /// Where processes divide the axis, each computes after the one before it, in parts across another
  /// axis so that they work at the same time. Steps are then not fused.
  /// @param axis  not periodic (else plan() throws usage_error)
  kernel_options& in_order(int axis, axis_order along = axis_order::forward) {
    kernel_->order = {true, axis, along == axis_order::backward};
    return *this;
  }

  /// Ghosts of a field beyond all borders, or beyond one, have other values for this kernel than for
  /// others: those of `condition`. Where nothing is said the field's own conditions hold.
  ///
  ///     step.each("walls", writes(f), reads(u, star(1)), ...).boundary(u, outside(0.0));
  ///     step.each("drag", ...).boundary(u, 0, side::low, w, [](auto const& ghost, double w) { ... });
  ///
  /// @param condition  as of Field::boundary(), with or without another field before it
  /// @throws usage_error  the kernel does not read the field; or as Field::boundary()
  template <class T, class... Condition>
    requires(!std::convertible_to<std::tuple_element_t<0, std::tuple<Condition...>>, int>)
  kernel_options& boundary(Field<T, D> const& field, Condition const&... condition) {
    for (int axis = 0; axis < D; ++axis)
      for (side const end : {side::low, side::high})
        boundary(field, axis, end, condition...);
    return *this;
  }
  template <class T, class... Condition>
  kernel_options& boundary(Field<T, D> const& field, int axis, side end,
                           Condition const&... condition) {
    auto const made = detail::made_condition(field, condition...);
    field.shared()->check_condition(axis, -1, made);
    auto& own = machine_->conditions_of(*kernel_, field.shared());
    for (auto& border : detail::own_borders_of(*field.shared(), own))
      if (border.where.axis == detail::padded_axis<D>(axis) && border.where.side == end)
        border.put(-1, field.num_components(), made);
    return *this;
  }

private:
  detail::step_machine* machine_;
  detail::step_kernel* kernel_;
};

/// A program of kernels on the fields of one grid, and of coarser and finer ones.
/// Threads: one thread calls the members; kernels run on Kokkos' host threads.
template <int D>
class Steps : public step_runs {
public:
  explicit Steps(Grid<D> const& grid) : step_runs(grid.space()) {}

  /// Adds a kernel at all cells, faces or corners: those of the fields that it writes, else of the
  /// first that it reads.
  /// @param name       for errors and explanations; may be left out
  /// @param arguments  roles, then the kernel
  /// @throws usage_error  offsets of another number of axes, or along an axis that there is not;
  ///         what else is wrong with a declaration is found by plan()
  /// Local. The same on all ranks.
  template <class... Arguments>
  kernel_options<D> each(std::string const& name, Arguments const&... arguments) {
    return add(name, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }
  template <class First, class... Arguments>
    requires(!std::convertible_to<First, std::string>)
  kernel_options<D> each(First const& first, Arguments const&... arguments) {
    return each(std::string(), first, arguments...);
  }

  /// Adds the exchange of two fields' newest levels.
  /// @param first, second  of the same type, alike (else plan() throws usage_error)
  /// Local. The same on all ranks.
  template <class T>
  void swap(Field<T, D>& first, Field<T, D>& second) {
    machine_->add_swap(machine_->number_of(first.shared()), machine_->number_of(second.shared()));
  }

  /// The time that conditions on borders get; without a call 0. Local. The same on all ranks.
  void time(Value<double> const& value) { machine_->use_time(value.shared()); }

private:
  template <std::size_t... Role, class... Arguments>
  kernel_options<D> add(std::string const& name, std::index_sequence<Role...> roles,
                        Arguments const&... arguments);
};

} // namespace seam

#include <seam/stencil/roles/steps.ipp>
