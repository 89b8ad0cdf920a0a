/// Countdowns: the last of several threads to do their part goes on with what waits for all parts.
///
///     countdown left;
///     left.begin(parts);                  // one thread
///     if (left.take() == 0) go_on();      // each thread, once for each of its parts
#pragma once

#include <atomic>
#include <cstdint>

namespace seam::detail {

/// Threads: take() and left() from any thread.
class countdown {
public:
  void begin(std::int64_t parts) noexcept { left_.store(parts, std::memory_order_relaxed); }

  /// Counts `parts` as done. Returns how many are left; the thread that gets 0 sees all that others
  /// wrote before they counted theirs.
  std::int64_t take(std::int64_t parts = 1) noexcept {
    return left_.fetch_sub(parts, std::memory_order_acq_rel) - parts;
  }

  std::int64_t left() const noexcept { return left_.load(std::memory_order_acquire); }

private:
  std::atomic<std::int64_t> left_ = 0;
};

} // namespace seam::detail
