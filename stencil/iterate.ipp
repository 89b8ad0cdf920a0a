// The bodies of Iterate's members; included by iterate.hpp alone.
#pragma once

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/stencil/iterate.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

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
      threads_may_help_(mpi::thread_level() >= MPI_THREAD_SERIALIZED) {
  collectively(grid.base().context(), [&] { check_fields(); });
  split_borders();
  mpi::thread_level() == MPI_THREAD_MULTIPLE ? make_chain() : make_halos();
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
void Iterate<T, D>::fill(std::vector<border_part> const& parts, by_threads whom) const {
  for (border_part const& one : parts)
    current_->borders[one.border].fill(current_->view(), one.ghosts, whom);
}

/// Which of the two storages a field has got now.
template <class T, int D>
std::size_t Iterate<T, D>::number_of(field_state const& field) const {
  for (std::size_t k = 0; k < 2; ++k)
    if (field.storage.data() == storage_[k])
      return k;
  refuse(
      fmt::format("iterate: field '{}' got other storage from another loop (expected one loop for "
                  "each pair of fields)",
                  field.name));
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

/// Leaves MPI to the calling thread, or to one at a time.
template <class T, int D>
template <class Kernel>
void Iterate<T, D>::funneled_sweep(Kernel const& kernel) {
  in_flight arriving = halos_[number_of(*current_)].start();
  fill(near_borders_, by_threads::all);
  compute(tiles_.interior, kernel, [&arriving, help = threads_may_help_] {
    if (help)
      arriving.test();
  });
  arriving.wait();
  fill(far_borders_, by_threads::all);
  compute(tiles_.rim, kernel, [] {});
  swap();
}

template <class T, int D>
void Iterate<T, D>::swap() {
  std::swap(current_->storage, next_->storage);
  ++num_sweeps_;
}

template <class T, int D>
void Iterate<T, D>::make_halos() {
  for (T const* storage : storage_) {
    auto const array = exchanged_array::of(const_cast<T*>(storage));
    halos_.push_back(make_exchange(grid_.graph(), grid_.halo_rounds(), std::span(&array, 1)));
  }
}

template <class T, int D>
void Iterate<T, D>::make_chain() {
  auto const parts = grid_.halo_parts();
  std::vector<plan> rounds;
  for (halo_round<D> const& round : parts)
    rounds.push_back(round.what);
  for (T const* storage : storage_) {
    auto const array = exchanged_array::of(const_cast<T*>(storage));
    halos_.push_back(make_exchange(grid_.graph(), rounds, std::span(&array, 1), gating::by_edge));
  }
  std::vector<box<D>> late;
  for (border_part const& part : far_borders_)
    late.push_back(part.ghosts);
  chain_ = std::make_unique<sweep_chain<D>>(tiles_, grid_.ghosts(), parts, late);
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::chained_sweep(in_flight& arriving, in_flight* leaving, Kernel const& kernel) {
  arriving.test(); // ghosts on axes that no other process shares
  fill(near_borders_, by_threads::all);
  field_view<T const, D> const u = current_->view();
  field_view<T, D> const next = next_->view();
  chain_->run(
      arriving, leaving,
      [&](box<D> const& tile) { detail::compute_tile<T, D>(next, u, tile, kernel); },
      [&] { fill(far_borders_, by_threads::caller); });
  arriving.wait();
  swap();
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
  if (chain_ == nullptr) {
    for (std::int64_t k = 0; k < count; ++k)
      funneled_sweep(kernel);
    return;
  }
  std::optional<in_flight> arriving, leaving;
  if (count > 0)
    arriving.emplace(halos_[number_of(*current_)].start());
  for (std::int64_t k = 0; k < count; ++k) {
    bool const is_last = k + 1 == count;
    if (!is_last)
      leaving.emplace(halos_[number_of(*next_)].start_gated());
    chained_sweep(*arriving, is_last ? nullptr : &*leaving, kernel);
    if (!is_last)
      arriving.emplace(std::move(*leaving));
  }
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
  if (!(tolerance >= 0) || every < 1)
    refuse(fmt::format("iterate: converged to {} after every {} sweeps (expected a tolerance of at "
                       "least 0, and at least 1 sweep)",
                       tolerance, every));
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
