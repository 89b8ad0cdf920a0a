/// Sweep chains: sweeps that follow each other without a pause between them. A message leaves as
/// soon as all tiles with its cells are computed, while other tiles are computed; a tile that reads
/// ghosts starts as soon as these have arrived, whatever else is in flight.
///
///     rim tile: wait for its ghosts -> compute -> open the gates of the messages that it completes
///     interior tile:                   compute    (taken when no rim tile can start)
///
/// The boxes of the arriving edges tell what a tile waits for: a rim tile reads a ghost that a
/// message brings, or a copy after a message, or a ghost that is filled late; an interior tile
/// reads none. Copies that wait for no message are made before the first tile. Threads take tiles
/// one by one. A thread waits for neighbors only, and only if no tile but rim tiles is left.
/// Source: [Holmes2021] sec. I and II, on halo exchanges.
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/stencil/detail/arrivals.hpp>
#include <seam/stencil/detail/halo_plan.hpp>
#include <seam/stencil/detail/parallel.hpp>

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// The tiles of a sweep, with the edges that each waits for and the edges that wait for it; edges
/// of halo parts, numbered round after round.
template <int D>
class sweep_chain {
public:
  /// @param tiles    cover each cell once
  /// @param reach    width of the ghosts from which a cell's new value is computed
  /// @param parts    the rounds between two sweeps
  /// @param arrivals of `parts`
  /// @param late     ghosts that are filled when everything has arrived
  sweep_chain(std::vector<box<D>> const& tiles, ghost_width<D> const& reach,
              std::vector<halo_round<D>> const& parts, halo_arrivals<D> const& arrivals,
              std::vector<box<D>> const& late);

  /// Tiles with cells that leave along each edge. [destinations]
  std::vector<std::int64_t> const& num_tiles() const noexcept { return num_tiles_; }

  /// Computes all tiles by all threads.
  ///
  /// @param arriving   the exchange that brings the ghosts; copies that are not awaited are made
  /// @param leaving    the exchange of the new values, started, whose messages wait for num_tiles()
  ///                   pieces; nullptr in the last sweep
  /// @param compute    compute(tile); from any thread
  /// @param fill_late  fills the late ghosts; once, from any thread
  template <class Compute, class FillLate>
  void run(in_flight& arriving, partitioned_exchange* leaving, Compute const& compute,
           FillLate const& fill_late);

private:
  /// Entries of edges_ that concern a tile.
  struct linked_tile {
    box<D> cells;
    range arrivals, gates;
    bool reads_late;
  };

  /// The state of the late ghosts in a sweep.
  enum class late_state { missing, being_filled, filled };

  void link(box<D> const& cells, box<D> const& read, halo_arrivals<D> const& arrivals,
            std::vector<box<D>> const& late);
  void reset();
  std::span<int const> edges_of(range entries) const;
  bool has_arrived(linked_tile const& tile, in_flight& arriving) const;
  bool late_is_filled(in_flight& arriving, auto const& fill_late);
  linked_tile const* take_rim(in_flight& arriving, auto const& fill_late);
  linked_tile const* take_interior();
  void work(in_flight& arriving, partitioned_exchange* leaving, auto const& compute,
            auto const& fill_late);

  std::vector<linked_tile> rim_, interior_;
  std::vector<int> edges_;
  std::vector<box<D>> leaving_;         ///< [destinations] cells
  std::vector<std::int64_t> num_tiles_; ///< [destinations]

  // The state of the present sweep.
  std::vector<std::atomic<bool>> rim_taken_; ///< [rim tiles]
  std::atomic<int> rim_left_ = 0;            ///< rim tiles that no thread has taken
  std::atomic<std::int64_t> next_interior_ = 0;
  std::atomic<late_state> late_ = late_state::missing;
};

template <int D>
template <class Compute, class FillLate>
void sweep_chain<D>::run(in_flight& arriving, partitioned_exchange* leaving, Compute const& compute,
                         FillLate const& fill_late) {
  reset();
  parallel_for_parts("seam::chain", num_loop_threads(),
                     [&](int) { work(arriving, leaving, compute, fill_late); });
}

/// The work of one thread: rim tiles that can start, else interior tiles, until none is left.
template <int D>
void sweep_chain<D>::work(in_flight& arriving, partitioned_exchange* leaving, auto const& compute,
                          auto const& fill_late) {
  patience wait;
  stall_watch watch;
  for (;;) {
    linked_tile const* tile = take_rim(arriving, fill_late);
    if (tile == nullptr)
      tile = take_interior();
    if (tile != nullptr) {
      wait.end();
      compute(tile->cells);
      if (leaving != nullptr)
        leaving->ready_along(edges_of(tile->gates));
    } else if (rim_left_.load(std::memory_order_relaxed) == 0) {
      return;
    } else {
      if (watch.is_due())
        watch.tell(arriving.missing());
      wait.pause();
    }
    arriving.test();
  }
}

template <int D>
auto sweep_chain<D>::take_rim(in_flight& arriving, auto const& fill_late) -> linked_tile const* {
  if (rim_left_.load(std::memory_order_relaxed) == 0)
    return nullptr;
  for (std::size_t t = 0; t < rim_.size(); ++t) {
    if (rim_taken_[t].load(std::memory_order_relaxed) || !has_arrived(rim_[t], arriving) ||
        (rim_[t].reads_late && !late_is_filled(arriving, fill_late)) ||
        rim_taken_[t].exchange(true, std::memory_order_relaxed))
      continue;
    rim_left_.fetch_sub(1, std::memory_order_relaxed);
    return &rim_[t];
  }
  return nullptr;
}

template <int D>
bool sweep_chain<D>::late_is_filled(in_flight& arriving, auto const& fill_late) {
  if (late_.load(std::memory_order_acquire) == late_state::filled)
    return true;
  auto missing = late_state::missing;
  if (!arriving.test() || !late_.compare_exchange_strong(missing, late_state::being_filled))
    return false;
  fill_late();
  late_.store(late_state::filled, std::memory_order_release);
  return true;
}

extern template class sweep_chain<1>;
extern template class sweep_chain<2>;
extern template class sweep_chain<3>;

} // namespace seam::detail
