/// Patience: how seam waits. A wait spins, because answers mostly come soon, and now and then
/// offers the core to others. Once somebody has taken it there are more ranks than cores, and waits
/// give the core away after each look, until nobody wants it any more.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>

namespace seam {

/// One wait. Call pause() between looks at what is awaited. Local, any thread.
class patience {
public:
  void pause() noexcept {
    if (++looks_ < looks_before_yielding && !is_crowded_.load(std::memory_order_relaxed))
      return;
    auto const begin = std::chrono::steady_clock::now();
    sched_yield();
    bool const others_ran = std::chrono::steady_clock::now() - begin > longest_vain_yield;
    is_crowded_.store(others_ran, std::memory_order_relaxed);
    looks_ = 0;
  }

private:
  static constexpr int looks_before_yielding = 200;
  static constexpr std::chrono::microseconds longest_vain_yield{1};
  static inline std::atomic<bool> is_crowded_ = false;
  int looks_ = 0;
};

} // namespace seam
