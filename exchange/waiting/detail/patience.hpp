/// Patience: how seam waits.
///
///     for (patience wait; !request.test(); wait.pause()) {}
///
/// A wait spins first, because answers mostly come soon; then it moves the other operations of its
/// process and yields the core now and then; after long it sleeps between looks. Once another
/// process has taken a yielded core there are more ranks than cores, and waits yield the core after
/// each look until no process wants it any more. A yield that takes long is no sign of that: in some
/// virtual machines each one does. The kernel counts how often another thread has run.
#pragma once

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <atomic>
#include <chrono>

namespace seam::detail {

/// One wait. Call pause() between two looks. Local, any thread.
class patience {
public:
  patience() = default;
  patience(patience const&) = delete;
  patience& operator=(patience const&) = delete;
  ~patience() { end(); }

  /// Ends the wait; another one begins with the next pause. Local.
  void end() noexcept {
    if (is_wait_of_thread_)
      wait_scope::end();
    is_wait_of_thread_ = false;
    begin_ = {};
  }

  void pause() noexcept {
    bool const is_crowded = is_crowded_.load(std::memory_order_relaxed);
    if (!is_crowded && ++looks_ % looks_between_times != 0)
      return;
    progress_all();
    auto const now = clock::now();
    if (begin_ == clock::time_point{}) {
      begin_ = now;
      is_wait_of_thread_ = wait_scope::begin();
    }
    auto const waited = now - begin_;
    if (waited > longest_yielding)
      sleep();
    else if (is_crowded || waited > longest_spin)
      yield(now);
  }

private:
  using clock = std::chrono::steady_clock;

  static void yield(clock::time_point now) noexcept;
  static void sleep() noexcept;

  static constexpr int looks_between_times = 64;
  static constexpr std::chrono::microseconds longest_spin{20};
  static constexpr std::chrono::milliseconds longest_yielding{20};
  static inline std::atomic<bool> is_crowded_ = false;
  unsigned looks_ = 0;
  clock::time_point begin_{};
  bool is_wait_of_thread_ = false;
};

} // namespace seam::detail
