/// The wait of a thread as other threads see it, which report stalls.
#pragma once

#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace seam::detail {

/// The call that a thread waits in, as long as the wait goes on.
struct wait_of_thread {
  std::shared_ptr<thread_calls> thread;
  std::uint32_t wait; ///< its number among the thread's
  char const* name;   ///< of the call
  std::uint64_t id;   ///< of the call's record
  std::int64_t number;

  bool goes_on() const noexcept { return thread->wait.load(std::memory_order_acquire) == wait; }
};

/// The wait of `thread`, or nothing if it does not wait in a call.
/// Threads: any.
std::optional<wait_of_thread> wait_of(std::shared_ptr<thread_calls> const& thread);

} // namespace seam::detail
