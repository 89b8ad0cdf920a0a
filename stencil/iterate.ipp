// The bodies of Iterate's members; included by iterate.hpp alone.
#pragma once

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/stencil/iterate.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace seam {
namespace detail {

/// kernel(u, i, j, ..., k) at a cell of the row that begins at `first`.
template <class Kernel, class View, int D, std::size_t... SlowAxis>
KOKKOS_FORCEINLINE_FUNCTION auto call_kernel(Kernel const& kernel, View const& u,
                                             cell_index<D> const& first, int k,
                                             std::index_sequence<SlowAxis...>) {
  return kernel(u, static_cast<int>(first[SlowAxis])..., k);
}

/// The kernel itself, or a copy that costs nothing: of one that lies in its caller's registers the
/// compiler knows that no store to a field changes it.
template <class Kernel>
using own_kernel =
    std::conditional_t<std::is_trivially_copyable_v<Kernel>, Kernel const, Kernel const&>;

/// row[k] = kernel(u, first[0], ..., k) for k from the cell `first` to before `end`. No cell of a
/// row depends on another. An int that counts along the row lets the compiler see that its
/// neighbors lie side by side.
template <class T, int D, class Kernel>
void compute_row(T* row, field_view<T const, D> const u, cell_index<D> const first, int end,
                 Kernel const& shared_kernel) {
  own_kernel<Kernel> kernel = shared_kernel;
#pragma GCC ivdep
  for (int k = static_cast<int>(first[D - 1]); k < end; ++k)
    row[k] = static_cast<T>(call_kernel<Kernel, field_view<T const, D>, D>(
        kernel, u, first, k, std::make_index_sequence<D - 1>{}));
}

/// next = kernel(u) on the cells of a tile, row by row.
template <class T, int D, class Kernel>
void compute_tile(field_view<T, D> const& next, field_view<T const, D> const& u, box<D> const& tile,
                  Kernel const& kernel) {
  for_each_row(tile, [&](cell_index<D> const& first, std::int64_t end) {
    compute_row<T, D>(&next[first] - first[D - 1], u, first, static_cast<int>(end), kernel);
  });
}

} // namespace detail

template <class T, int D>
Iterate<T, D>::Iterate(Grid<D> const& grid, Field<T, D>& current, Field<T, D>& next)
    : grid_(grid),
      current_(current.shared()),
      next_(next.shared()),
      tiles_(make_sweep_tiles<D>(current.owned(), grid.near(), grid.ghosts())),
      storage_{current_->storage.data(), next_->storage.data()},
      threads_may_communicate_(mpi::thread_level() >= MPI_THREAD_SERIALIZED) {
  collectively(grid.base().context(), [&] { check_fields(); });
  split_borders();
  halos_.push_back(exchange_of(*current_));
  halos_.push_back(exchange_of(*next_));
}

template <class T, int D>
void Iterate<T, D>::check_fields() const {
  if (current_ == next_)
    refuse(fmt::format("iterate: field '{}' twice (expected two fields)", current_->name));
  for (auto const& field : {current_, next_})
    if (!(field->grid == grid_))
      refuse(fmt::format("iterate: field '{}' belongs to another grid", field->name));
  current_->check_borders();
}

template <class T, int D>
void Iterate<T, D>::split_borders() {
  for (std::size_t b = 0; b < current_->borders.size(); ++b) {
    box<D> const& ghosts = current_->borders[b].where.ghosts;
    box<D> const near = intersection(ghosts, grid_.near());
    near_borders_.push_back({b, near});
    for (box<D> const& far : difference(ghosts, near))
      far_borders_.push_back({b, far});
  }
}

template <class T, int D>
void Iterate<T, D>::fill(std::vector<border_part> const& parts) const {
  for (border_part const& one : parts)
    current_->borders[one.border].fill(current_->view(), one.ghosts);
}

template <class T, int D>
operation Iterate<T, D>::exchange_of(field_state const& field) const {
  exchanged_array const array = exchanged_array::of(field.storage.data());
  return make_exchange(grid_.graph(), grid_.halo_rounds(), std::span(&array, 1));
}

template <class T, int D>
operation& Iterate<T, D>::halo() {
  for (std::size_t k = 0; k < 2; ++k)
    if (current_->storage.data() == storage_[k])
      return halos_[k];
  refuse(
      fmt::format("iterate: field '{}' got other storage from another loop (expected one loop for "
                  "each pair of fields)",
                  current_->name));
}

template <class T, int D>
template <class Kernel, class Meanwhile>
void Iterate<T, D>::compute(std::vector<box<D>> const& tiles, Kernel const& kernel,
                            Meanwhile const& meanwhile) {
  field_view<T const, D> const u = current_->view();
  field_view<T, D> const next = next_->view();
  parallel_for_tiles("seam::sweep", tiles, [=, &kernel](box<D> const& tile) {
    detail::compute_tile<T, D>(next, u, tile, kernel);
    meanwhile();
  });
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::sweep(Kernel const& kernel) {
  in_flight arriving = halo().start();
  fill(near_borders_);
  compute(tiles_.interior, kernel, [&arriving, help = threads_may_communicate_] {
    if (help)
      arriving.test();
  });
  arriving.wait();
  fill(far_borders_);
  compute(tiles_.rim, kernel, [] {});
  std::swap(current_->storage, next_->storage);
  ++num_sweeps_;
}

template <class T, int D>
double Iterate<T, D>::change() const {
  if (num_sweeps_ == 0)
    return std::numeric_limits<double>::infinity();
  field_view<T const, D> const now = current_->view(), before = next_->view();
  box<D> const owned{{}, grid_.owned().extents()};
  double const mine = parallel_max("seam::change", owned, [=](cell_index<D> const& at) {
    return std::abs(static_cast<double>(now[at]) - static_cast<double>(before[at]));
  });
  return mpi::allreduce(grid_.base().context(), mine, MPI_MAX);
}

template <class T, int D>
bool Iterate<T, D>::converged(double tolerance, int every) {
  if (num_sweeps_ == 0 || num_sweeps_ % every != 0)
    return false;
  double const largest = change();
  if (!std::isfinite(largest))
    throw usage_error(
        fmt::format("iterate: field '{}' is not finite after {} sweeps: the iteration "
                    "diverges",
                    current_->name, num_sweeps_),
        true);
  return largest <= tolerance;
}

} // namespace seam
