/// Loops over cells on Kokkos' host threads, or on those of an endpoint. Labels, for Kokkos'
/// profiling tools, have at most 15 characters: strings of that length need no allocation.
#pragma once

#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/stencil/box.hpp>
#include <seam/stencil/detail/decomposition.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace seam::detail {

/// The execution space of seam's loops: Kokkos' parallel backend for the host.
using host_execution = Kokkos::DefaultHostExecutionSpace;

using host_parts = Kokkos::RangePolicy<host_execution, Kokkos::IndexType<int>>;

/// The number of threads of loops that the calling thread starts.
inline int num_loop_threads() {
  return num_own_loop_threads > 0 ? num_own_loop_threads
                                  : static_cast<int>(host_execution().concurrency());
}

/// Calls visit(part) for each of `count` parts; returns when all are done.
template <class Visit>
void parallel_for_parts(char const* label, int count, Visit const& visit) {
  if (num_own_loop_threads > 0)
    loop_on_own_threads(count, [&](std::int64_t part) { visit(static_cast<int>(part)); });
  else
    Kokkos::parallel_for(label, host_parts(0, count), visit);
}

/// A box cut across its longest axis into a few parts for each thread, numbered.
template <int D>
class parts_of {
public:
  explicit parts_of(box<D> const& all) : all_(all) {
    for (int a = 1; a < D; ++a)
      if (all.extent(a) > all.extent(axis_))
        axis_ = a;
    auto const most = std::int64_t{parts_for_a_thread} * num_loop_threads();
    num_parts_ = all.is_empty() ? 0 : static_cast<int>(std::min(all.extent(axis_), most));
  }

  host_parts policy() const { return {0, num_parts_}; }
  int size() const noexcept { return num_parts_; }

  box<D> operator[](int part) const {
    box<D> cells = all_;
    cells.lo[axis_] = all_.lo[axis_] + first_cell_of(all_.extent(axis_), num_parts_, part);
    cells.hi[axis_] = all_.lo[axis_] + first_cell_of(all_.extent(axis_), num_parts_, part + 1);
    return cells;
  }

private:
  static constexpr int parts_for_a_thread = 4;

  box<D> all_;
  int axis_ = 0, num_parts_ = 0;
};

/// The threads that carry out a loop: all, or the calling one if it runs inside a loop already.
enum class by_threads { all, caller };

/// Calls visit(cell) for each of `cells`, in any order, on all threads; returns when all are done.
template <int D, class Visit>
void parallel_for_cells(char const* label, box<D> const& cells, Visit const& visit) {
  parts_of<D> const parts(cells);
  parallel_for_parts(label, parts.size(), [=](int p) { for_each_cell(parts[p], visit); });
}

/// Calls visit(first, end) for each row of `cells` (see for_each_row), in any order, on all threads;
/// returns when all are done.
template <int D, class Visit>
void parallel_for_rows(char const* label, box<D> const& cells, Visit const& visit) {
  parts_of<D> const parts(cells);
  parallel_for_parts(label, parts.size(), [=](int p) { for_each_row(parts[p], visit); });
}

/// Calls visit(tile) for each of `tiles`, in any order, on all threads as they become free.
template <int D, class Visit>
void parallel_for_tiles(char const* label, std::vector<box<D>> const& tiles, Visit const& visit) {
  using as_threads_come = Kokkos::RangePolicy<host_execution, Kokkos::Schedule<Kokkos::Dynamic>,
                                              Kokkos::IndexType<std::int64_t>>;
  if (num_own_loop_threads > 0)
    return loop_on_own_threads(std::ssize(tiles), [&](std::int64_t t) { visit(tiles[t]); });
  auto const policy = as_threads_come(0, std::ssize(tiles)).set_chunk_size(1);
  Kokkos::parallel_for(label, policy, [=, tile = tiles.data()](std::int64_t t) { visit(tile[t]); });
}

/// The largest of value(cell) over `cells` by all threads; the lowest double if there are none. A
/// value that is not a number counts as infinite, so that it cannot hide.
template <int D, class Value>
double parallel_max(char const* label, box<D> const& cells, Value const& value) {
  double largest = std::numeric_limits<double>::lowest();
  parts_of<D> const parts(cells);
  auto const largest_of_part = [=](int p, double& most) {
    for_each_cell(parts[p], [&](cell_index<D> const& at) {
      double const here = value(at);
      most = here <= most ? most : (here > most ? here : std::numeric_limits<double>::infinity());
    });
  };
  if (num_own_loop_threads == 0) {
    Kokkos::parallel_reduce(label, parts.policy(), largest_of_part, Kokkos::Max<double>(largest));
    return largest;
  }
  std::vector<double> largest_of_each(parts.size(), largest);
  loop_on_own_threads(parts.size(), [&](std::int64_t p) {
    largest_of_part(static_cast<int>(p), largest_of_each[p]);
  });
  for (double const most : largest_of_each)
    largest = std::max(largest, most);
  return largest;
}

} // namespace seam::detail
