/// A lock for sections of a few instructions: threads on other cores wait until they are done.
#pragma once

#include <sched.h>

#include <atomic>

namespace seam::detail {

/// A mutex that spins, and gives the core away after a while: the thread that holds it may need one.
class spin_lock {
public:
  void lock() noexcept {
    for (int looks = 1; taken_.test_and_set(std::memory_order_acquire); ++looks)
      while (taken_.test(std::memory_order_relaxed))
        if (++looks % looks_between_yields == 0)
          sched_yield();
  }
  bool try_lock() noexcept { return !taken_.test_and_set(std::memory_order_acquire); }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

private:
  static constexpr int looks_between_yields = 128;

  std::atomic_flag taken_;
};

} // namespace seam::detail
