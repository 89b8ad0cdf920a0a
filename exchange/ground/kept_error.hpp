/// Kept errors: an error of one thread is thrown again in every thread that checks for it.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace seam::detail {

/// The first error of an operation that many threads work on, for good.
/// Threads: any.
class kept_error {
public:
  /// Keeps the exception in flight, unless one is kept already. For use inside a catch block.
  void keep() noexcept {
    if (taken_.test_and_set())
      return;
    first_ = std::current_exception();
    is_set_.store(true, std::memory_order_release);
  }

  bool is_set() const noexcept { return is_set_.load(std::memory_order_acquire); }

  /// The kept exception, or null.
  std::exception_ptr get() const noexcept { return is_set() ? first_ : nullptr; }

  /// Throws the kept exception, if there is one.
  void rethrow() const {
    if (is_set()) [[unlikely]]
      std::rethrow_exception(first_);
  }

  /// Runs `act`; keeps an exception that it throws, and rethrows it.
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
  std::exception_ptr first_;
  std::atomic<bool> is_set_ = false;
};

} // namespace seam::detail
