/// Step columns: how far the columns of tiles of a step graph are computed in a run, and which one a
/// thread takes next.
#pragma once

#include <seam/exchange/steps/flow/step_graph.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace seam::detail {

/// Threads: any, but for reset().
class step_columns {
public:
  /// @param graph  outlives this
  explicit step_columns(step_graph const& graph)
      : graph_(graph),
        next_(graph.columns.size()),
        taken_(graph.columns.size()),
        first_of_shares_(graph.shares.of_threads.size()) {}

  /// Begins a run.
  void reset() {
    first_in_order_ = 0;
    for (first_column& of_share : first_of_shares_)
      of_share.number = 0;
    for (std::atomic<int>& next : next_)
      next.store(0, std::memory_order_relaxed);
    for (std::atomic<bool>& taken : taken_)
      taken.store(false, std::memory_order_relaxed);
  }

  /// Computes tiles of the first column of which one can start, until one cannot: of columns in order,
  /// then of the thread's share of interiors. False if there was none.
  /// @param tiles  has is_free(task), and compute(tiles, first, next), which computes those from number
  ///               `first` on that are free, counts in `next`, and returns how many there were
  template <class Tiles>
  bool work_on_own(Tiles const& tiles, int worker, int num_workers) {
    if (work_on_first_of(tiles, graph_.shares.in_order, first_in_order_))
      return true;
    for (int share = worker; share < std::ssize(graph_.shares.of_threads); share += num_workers)
      if (work_on_first_of(tiles, graph_.shares.of_threads[share], first_of_shares_[share].number))
        return true;
    return false;
  }

  /// As work_on_own(), of other threads' shares, from the last column on.
  template <class Tiles>
  bool work_on_others(Tiles const& tiles, int worker) {
    auto const& shares = graph_.shares.of_threads;
    auto const has_worked = [&](int column) { return work_on(tiles, column); };
    for (int share = static_cast<int>(std::ssize(shares)) - 1; share >= 0; --share)
      if (share != worker && std::any_of(shares[share].rbegin(), shares[share].rend(), has_worked))
        return true;
    return false;
  }

private:
  /// The first column of a share that is not done, as far as is known.
  struct alignas(128) first_column {
    std::atomic<int> number = 0;
  };

  template <class Tiles>
  bool work_on_first_of(Tiles const& tiles, std::vector<int> const& columns,
                        std::atomic<int>& first) {
    for (int k = first.load(std::memory_order_relaxed); k < std::ssize(columns); ++k) {
      int const column = columns[k];
      if (next_[column].load(std::memory_order_relaxed) == std::ssize(graph_.columns[column])) {
        int expected = k;
        first.compare_exchange_strong(expected, k + 1, std::memory_order_relaxed);
      } else if (work_on(tiles, column)) {
        return true;
      }
    }
    return false;
  }

  /// Computes tiles of a column until one cannot start; false if none can.
  template <class Tiles>
  bool work_on(Tiles const& tiles, int column) {
    std::vector<int> const& all = graph_.columns[column];
    auto& next = next_[column];
    auto& taken = taken_[column];
    int const n = next.load(std::memory_order_relaxed);
    if (n == std::ssize(all) || taken.load(std::memory_order_relaxed) || !tiles.is_free(all[n]) ||
        taken.exchange(true, std::memory_order_acquire))
      return false;
    int const count = tiles.compute(all, next.load(std::memory_order_relaxed), next);
    taken.store(false, std::memory_order_release);
    return count > 0;
  }

  step_graph const& graph_;
  std::vector<std::atomic<int>> next_;   ///< [columns] tiles that are done
  std::vector<std::atomic<bool>> taken_; ///< [columns]
  std::vector<first_column> first_of_shares_;
  std::atomic<int> first_in_order_ = 0;
};

} // namespace seam::detail
