/// Kept errors: what one thread meets is thrown again to everybody who asks.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace seam {

/// The first error of what many threads work on, for good. Threads: any.
class kept_error {
public:
  /// Keeps the exception in flight, unless there is one already. For use inside a catch block.
  void keep() noexcept {
    if (taken_.test_and_set())
      return;
    what_ = std::current_exception();
    is_set_.store(true, std::memory_order_release);
  }

  bool is_set() const noexcept { return is_set_.load(std::memory_order_acquire); }

  /// Throws what is kept, if anything is.
  void rethrow() const {
    if (is_set()) [[unlikely]]
      std::rethrow_exception(what_);
  }

  /// Runs `act`, keeps what it throws, and throws it on.
  template <class Act>
  auto watch(Act&& act) {
    try {
      return std::forward<Act>(act)();
    } catch (...) {
      keep();
      throw;
    }
  }

private:
  std::atomic_flag taken_;
  std::exception_ptr what_;
  std::atomic<bool> is_set_ = false;
};

} // namespace seam
