/// Turns: of many threads that could make progress one does so, and the others go on.
///
///     if (turn const now(taken_); now.is_mine())
///       make_progress();
#pragma once

#include <sched.h>

#include <atomic>

namespace seam::detail {

/// A thread's turn, unless another thread has it; ends with the scope, also by an exception. A thread
/// that finds the turn taken writes nothing, so that it does not hold up the one that has it.
class turn {
public:
  explicit turn(std::atomic_flag& taken)
      : taken_(taken),
        is_mine_(!taken.test(std::memory_order_relaxed) &&
                 !taken.test_and_set(std::memory_order_acquire)) {}
  turn(turn const&) = delete;
  turn& operator=(turn const&) = delete;
  ~turn() {
    if (is_mine_)
      taken_.clear(std::memory_order_release);
  }

  bool is_mine() const noexcept { return is_mine_; }

private:
  std::atomic_flag& taken_;
  bool is_mine_;
};

/// The turn of a thread that needs it: it waits while another thread has it, which is not long.
class certain_turn {
public:
  explicit certain_turn(std::atomic_flag& taken) : taken_(taken) {
    while (taken_.test_and_set(std::memory_order_acquire))
      sched_yield();
  }
  certain_turn(certain_turn const&) = delete;
  certain_turn& operator=(certain_turn const&) = delete;
  ~certain_turn() { taken_.clear(std::memory_order_release); }

private:
  std::atomic_flag& taken_;
};

} // namespace seam::detail
