// The bodies of Iterate's members; included by iterate.hpp alone.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/iterate.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>

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

/// Computes row[k] = kernel(u, first[0], ..., k) for k from the cell `first` to before `end`. No
/// cell of a row depends on another. An int that counts along the row lets the compiler see that
/// neighbors are contiguous.
template <class T, int D, class Kernel>
void compute_row(T* row, field_view<T const, D> const u, cell_index<D> const first, int end,
                 Kernel const& shared_kernel) {
  own_kernel<Kernel> kernel = shared_kernel;
#pragma GCC ivdep
  for (int k = static_cast<int>(first[D - 1]); k < end; ++k)
    row[k] = static_cast<T>(call_kernel<Kernel, field_view<T const, D>, D>(
        kernel, u, first, k, std::make_index_sequence<D - 1>{}));
}

/// Computes next = kernel(u) on the cells of a tile, row by row.
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
      storage_{current_->storage.data(), next_->storage.data()} {
  detail::call_scope const here("Iterate", *grid.graph().calls());
  collectively(grid.base().context(), [&] { check_fields(); });
  bool const all_may_call = mpi::thread_level() == MPI_THREAD_MULTIPLE;
  auto const rounds = all_may_call ? grid.halo_parts() : grid.halo_parts(1);
  arrivals_ = detail::halo_arrivals<D>(rounds, grid.rank());
  box<D> const at_hand = arrivals_.at_hand(current.owned(), grid.ghosts());
  tiles_ = make_sweep_tiles<D>(current.owned(), at_hand, grid.ghosts());
  split_borders(at_hand);
  if (all_may_call)
    make_chain(rounds);
  make_halos(rounds, std::array{current.exchanged(), next.exchanged()});
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

/// Divides the ghosts beyond borders into early ones in `at_hand`, whose mirror images lie there
/// too, and late ones.
template <class T, int D>
void Iterate<T, D>::split_borders(box<D> const& at_hand) {
  for (std::size_t b = 0; b < current_->borders.size(); ++b) {
    box<D> const& ghosts = current_->borders[b].where.ghosts;
    box<D> const early = intersection(ghosts, at_hand);
    early_borders_.push_back({b, early});
    for (box<D> const& late : difference(ghosts, early))
      late_borders_.push_back({b, late});
  }
}

template <class T, int D>
void Iterate<T, D>::fill(std::vector<border_part> const& parts, detail::by_threads threads) const {
  for (border_part const& part : parts)
    current_->borders[part.border].fill(current_->view(), part.ghosts, threads);
}

/// The number of the storage, 0 or 1, that a field has now.
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
  detail::parallel_for_tiles("seam::sweep", tiles, [=, &kernel](box<D> const& tile) {
    detail::compute_tile<T, D>(next, u, tile, kernel);
    meanwhile();
  });
}

/// One sweep in which only the calling thread calls MPI; it computes tiles like the others.
template <class T, int D>
template <class Kernel>
void Iterate<T, D>::funneled_sweep(Kernel const& kernel) {
  in_flight& arriving = halos_[number_of(*current_)].start_whole();
  arrivals_.await_copies(arriving);
  fill(early_borders_, detail::by_threads::all);
  compute(tiles_.interior, kernel, [&arriving, caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == caller)
      arriving.test();
  });
  arriving.wait();
  fill(late_borders_, detail::by_threads::all);
  compute(tiles_.rim, kernel, [] {});
  swap();
}

template <class T, int D>
void Iterate<T, D>::swap() {
  std::swap(current_->storage, next_->storage);
  ++num_sweeps_;
}

/// Makes the exchange of each storage. Reports name sweeps by the fields, whichever exchange a rank
/// waits for.
template <class T, int D>
void Iterate<T, D>::make_halos(std::vector<detail::halo_round<D>> const& rounds,
                               std::span<exchanged_array const> storage) {
  name_ = detail::lasting_name(fmt::format("a sweep of {} and {}", current_->name, next_->name));
  auto const plans = plans_of(rounds);
  auto const gates = chain_ ? gating::by_edge : gating::together;
  std::vector<operation> exchanges;
  for (exchanged_array const& array : storage)
    exchanges.push_back(make_exchange(grid_.graph(), plans, {&array, 1}, gates));
  for (operation& exchange : exchanges) {
    exchange.count_with(exchanges.front()).rename(name_);
    halos_.emplace_back(Halo(exchange), chain_ ? chain_->num_tiles() : std::vector<std::int64_t>());
  }
}

template <class T, int D>
void Iterate<T, D>::make_chain(std::vector<detail::halo_round<D>> const& parts) {
  auto tiles = tiles_.rim;
  tiles.insert(tiles.end(), tiles_.interior.begin(), tiles_.interior.end());
  std::vector<box<D>> late;
  for (border_part const& part : late_borders_)
    late.push_back(part.ghosts);
  chain_ = std::make_unique<detail::sweep_chain<D>>(tiles, grid_.ghosts(), parts, arrivals_, late);
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::chained_sweep(in_flight& arriving, partitioned_exchange* leaving,
                                  Kernel const& kernel) {
  detail::call_scope const here = arriving.waiting();
  arrivals_.await_copies(arriving);
  fill(early_borders_, detail::by_threads::all);
  field_view<T const, D> const u = current_->view();
  field_view<T, D> const next = next_->view();
  chain_->run(
      arriving, leaving,
      [&](box<D> const& tile) { detail::compute_tile<T, D>(next, u, tile, kernel); },
      [&] { fill(late_borders_, detail::by_threads::caller); });
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
  detail::call_scope const here(name_);
  if (chain_ == nullptr) {
    for (std::int64_t k = 0; k < count; ++k)
      funneled_sweep(kernel);
    return;
  }
  if (count == 0)
    return;
  in_flight* arriving = &halos_[number_of(*current_)].start_whole();
  for (std::int64_t k = 1; k < count; ++k) {
    partitioned_exchange& leaving = halos_[number_of(*next_)];
    in_flight& started = leaving.start();
    chained_sweep(*arriving, &leaving, kernel);
    arriving = &started;
  }
  chained_sweep(*arriving, nullptr, kernel);
}

template <class T, int D>
double Iterate<T, D>::change() const {
  static_assert(
      requires(T const& value) { static_cast<double>(value); },
      "the change of a sweep, which converged() asks for, is a difference of numbers: "
      "fields of other types are swept without it");
  detail::call_scope const here("Iterate::change");
  if (num_sweeps_ == 0)
    return std::numeric_limits<double>::infinity();
  field_view<T const, D> const now = current_->view(), before = next_->view();
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
