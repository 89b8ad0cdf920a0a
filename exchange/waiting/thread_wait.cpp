#include <seam/exchange/waiting/thread_wait.hpp>

namespace seam::detail {

std::optional<wait_of_thread> wait_of(std::shared_ptr<thread_calls> const& thread) {
  wait_of_thread found{.thread = thread,
                       .wait = thread->wait.load(std::memory_order_acquire),
                       .name = thread->name.load(std::memory_order_relaxed),
                       .id = thread->id.load(std::memory_order_relaxed),
                       .number = thread->number.load(std::memory_order_relaxed)};
  if (found.wait % 2 == 0 || found.name == nullptr || !found.goes_on())
    return std::nullopt;
  return found;
}

} // namespace seam::detail
