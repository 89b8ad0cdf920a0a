// The bodies of Iterate's members; included by iterate.hpp alone.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/step_check.hpp>
#include <seam/stencil/iterate.hpp>
#include <seam/stencil/step_offsets.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace seam {
namespace detail {

/// Calls kernel(u, i, j, ..., k) at a cell of the row that begins at `first`.
template <class Kernel, class View, int D, std::size_t... SlowAxis>
KOKKOS_FORCEINLINE_FUNCTION auto call_kernel(Kernel const& kernel, View const& u,
                                             cell_index<D> const& first, int k,
                                             std::index_sequence<SlowAxis...>) {
  return kernel(u, static_cast<int>(first[SlowAxis])..., k);
}

/// The kernel itself, or a copy where that costs nothing: the compiler then knows that no store to
/// a field changes it.
template <class Kernel>
using own_kernel =
    std::conditional_t<std::is_trivially_copyable_v<Kernel>, Kernel const, Kernel const&>;

/// Computes row[k] = kernel(u, first[0], ..., k) for k from the cell `first` to before `end`, and the
/// rows behind it along the last axis but one, `row_step` values apart. No cell of a row depends on
/// another. An int that counts along the row lets the compiler see that neighbors are contiguous. It
/// is a function of its own so that all registers are the loop's.
template <class T, int D, class Kernel>
[[gnu::noinline]] void compute_rows(T* __restrict row, std::int64_t row_step, std::int64_t num_rows,
                                    field_view<T const, D> const u, cell_index<D> first, int end,
                                    Kernel const& shared_kernel) {
  own_kernel<Kernel> kernel = shared_kernel;
  for (; num_rows > 0; --num_rows, row += row_step) {
#pragma GCC ivdep
    for (int k = static_cast<int>(first[D - 1]); k < end; ++k)
      row[k] = static_cast<T>(call_kernel<Kernel, field_view<T const, D>, D>(
          kernel, u, first, k, std::make_index_sequence<D - 1>{}));
    if constexpr (D > 1)
      ++first[D - 2];
  }
}

/// Computes next = kernel(u) on the cells of a tile.
template <class T, int D, class Kernel>
void compute_tile(field_view<T, D> const& next, field_view<T const, D> const& u, box<D> const& tile,
                  Kernel const& kernel) {
  for_each_plane(tile, [&](cell_index<D> const& first, std::int64_t num_rows, std::int64_t end) {
    compute_rows<T, D>(&next[first] - first[D - 1], next.local().extent(D - 1), num_rows, u, first,
                       static_cast<int>(end), kernel);
  });
}

} // namespace detail

template <class T, int D>
Iterate<T, D>::Iterate(Grid<D> const& grid, Field<T, D>& current, Field<T, D>& next)
    : grid_(grid),
      current_(current.shared()),
      next_(next.shared()),
      machine_(std::make_unique<detail::step_machine<D>>(grid)) {
  detail::call_scope const here("Iterate", *grid.graph().calls());
  collectively(grid.base().context(), [&] { check_fields(); });
  declare();
  machine_->plan();
}

template <class T, int D>
void Iterate<T, D>::check_fields() const {
  if (current_ == next_)
    refuse(fmt::format("iterate: field '{}' twice (expected two fields)", current_->name));
  for (auto const& field : {current_, next_}) {
    if (!(field->grid == grid_))
      refuse(fmt::format("iterate: field '{}' belongs to another grid", field->name));
    if (field->options.on != on_cells || field->options.components != 1)
      refuse(
          fmt::format("iterate: field '{}' has components, or lies on faces or corners (expected "
                      "one value for each cell; Steps serves others)",
                      field->name));
  }
  current_->check_borders();
}

/// A sweep as steps: a kernel that reads one field around each cell and writes the other, and the
/// exchange of both.
template <class T, int D>
void Iterate<T, D>::declare() {
  detail::step_kernel<D> kernel;
  kernel.name = "sweep";
  detail::step_access<D> read, written;
  read.field = machine_->number_of(current_);
  read.offsets = {detail::offsets_of<D>(grid_.neighborhood())};
  written.field = machine_->number_of(next_);
  written.role = detail::access_role::writes;
  kernel.accesses = {read, written};
  detail::complete<D>(machine_->program().fields, kernel);
  kernel.compute = [present = present_, current = current_,
                    next = next_](detail::tile_call<D> const& call) {
    field_view<T const, D> const u(reinterpret_cast<T const*>(call.accesses[0].read),
                                   current->local());
    field_view<T, D> const new_values(reinterpret_cast<T*>(call.accesses[1].write), next->local());
    present->compute(present->kernel, new_values, u, call.cells);
  };
  machine_->add(std::move(kernel), {});
  machine_->add_swap(read.field, written.field);
  machine_->settings().name =
      detail::lasting_name(fmt::format("a sweep of {} and {}", current_->name, next_->name));
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::sweep(Kernel const& kernel) {
  sweeps(1, kernel);
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::sweeps(std::int64_t count, Kernel const& kernel) {
  if (count < 0)
    refuse(fmt::format("iterate: {} sweeps (expected 0 or more)", count));
  detail::call_scope const here(machine_->settings().name);
  *present_ = {&kernel, [](void const* called, field_view<T, D> const& next,
                           field_view<T const, D> const& u, box<D> const& tile) {
                 detail::compute_tile<T, D>(next, u, tile, *static_cast<Kernel const*>(called));
               }};
  machine_->run(count);
}

template <class T, int D>
double Iterate<T, D>::change() const {
  static_assert(
      requires(T const& value) { static_cast<double>(value); },
      "the change of a sweep, which converged() asks for, is a difference of numbers: "
      "fields of other types are swept without it");
  detail::call_scope const here("Iterate::change");
  if (num_sweeps() == 0)
    return std::numeric_limits<double>::infinity();
  field_view<T const, D> const now = view_of(*current_), before = view_of(*next_);
  box<D> const owned{{}, grid_.owned().extents()};
  double const own_change =
      detail::parallel_max("seam::change", owned, [=](cell_index<D> const& at) {
        return std::abs(static_cast<double>(now[at]) - static_cast<double>(before[at]));
      });
  return mpi::allreduce(grid_.base().context(), own_change, MPI_MAX);
}

template <class T, int D>
bool Iterate<T, D>::converged(double tolerance, int every) {
  if (!(tolerance >= 0) || every < 1)
    refuse(fmt::format("iterate: converged to {} after every {} sweeps (expected a tolerance of at "
                       "least 0, and at least 1 sweep)",
                       tolerance, every));
  if (num_sweeps() == 0 || num_sweeps() % every != 0)
    return false;
  double const largest = change();
  if (!std::isfinite(largest))
    throw usage_error(
        fmt::format("iterate: field '{}' is not finite after {} sweeps: the iteration "
                    "diverges",
                    current_->name, num_sweeps()),
        true);
  return largest <= tolerance;
}

} // namespace seam
