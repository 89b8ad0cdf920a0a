/// Ghost epochs: which ghosts of a buffer are up to date.
///
///     epoch     grows when a loop changes values of the rim after ghosts have been brought up to date
///     stamp     the epoch in which the ghost got its value; a ghost is current if it is not older
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace seam::detail {

/// Threads: any, but for take().
class ghost_epochs {
public:
  explicit ghost_epochs(std::size_t num_elements)
      : stamps_(std::make_unique<std::atomic<stamp>[]>(num_elements)) {}

  bool is_current(std::int64_t ghost) const {
    stamp const its = stamp_of(ghost);
    return its >= now() || (its == of_new_buffer && !is_written_.load(std::memory_order_relaxed));
  }
  bool is_in_flight(std::int64_t ghost) const { return stamp_of(ghost) == in_flight; }
  bool was_never_filled(std::int64_t ghost) const { return stamp_of(ghost) == of_new_buffer; }

  /// Notes what the ghost has got: a value that is on its way, is as new as the rim, or stays right
  /// whatever becomes of the rim.
  void expect(std::int64_t ghost) { put(ghost, in_flight); }
  void fill(std::int64_t ghost) { put(ghost, now()); }
  void fill_forever(std::int64_t ghost) { put(ghost, forever); }

  /// A loop that fills ghosts may change owned values in between: what it fills before the first
  /// change is as new as what it fills behind.
  void fill_by_hand(std::int64_t ghost) {
    put(ghost, now() + (is_sealed_.load(std::memory_order_relaxed) ? 1 : 0));
  }

  /// A value that was filled for the next epoch, too, has been used in this one.
  void note_read(std::int64_t ghost) {
    if (stamp_of(ghost) == now() + 1)
      fill(ghost);
  }

  /// The next change of the rim begins an epoch.
  void seal() {
    if (!is_sealed_.load(std::memory_order_relaxed))
      is_sealed_ = true;
  }

  /// The rim has changed: in all threads at once, perhaps; epochs that are left out do no harm.
  void note_change() {
    note_written();
    if (is_sealed_.load(std::memory_order_relaxed) && is_sealed_.exchange(false))
      epoch_.fetch_add(1);
  }

  /// Ghosts of a new buffer are no longer current.
  void note_written() {
    if (!is_written_.load(std::memory_order_relaxed))
      is_written_ = true;
  }

  /// Takes over all but the stamps from another buffer; then `count` of its stamps.
  void take(ghost_epochs const& other) {
    epoch_ = other.epoch_.load();
    is_sealed_ = other.is_sealed_.load();
    is_written_ = other.is_written_.load();
  }
  void take(ghost_epochs const& other, std::int64_t from, std::int64_t to, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k)
      stamps_[to + k] = other.stamps_[from + k].load();
  }

private:
  using stamp = std::uint32_t;
  static constexpr stamp of_new_buffer = 0, in_flight = 1, first_epoch = 2,
                         forever = std::numeric_limits<stamp>::max();

  stamp now() const { return epoch_.load(std::memory_order_relaxed); }
  stamp stamp_of(std::int64_t ghost) const {
    return stamps_[ghost].load(std::memory_order_relaxed);
  }
  void put(std::int64_t ghost, stamp its) { stamps_[ghost].store(its, std::memory_order_relaxed); }

  std::unique_ptr<std::atomic<stamp>[]> stamps_; ///< [elements]; those of ghosts count
  std::atomic<stamp> epoch_{first_epoch};
  std::atomic<bool> is_sealed_{false}, is_written_{false};
};

} // namespace seam::detail
