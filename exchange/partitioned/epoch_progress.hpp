/// The progress of an epoch that any thread may test: one thread at a time advances it, and others
/// go on.
#pragma once

#include <atomic>
#include <mutex>

namespace seam::detail {

/// Whether the epoch of one end of a channel is complete. Complete before the first begin().
class epoch_progress {
public:
  void begin(bool is_complete = false) noexcept { complete_.store(is_complete); }

  /// Returns true if the epoch is complete. Otherwise calls advance(), which returns whether it is
  /// complete now, unless another thread holds mutex().
  /// Threads: any.
  template <class Advance>
  bool test(Advance const& advance) {
    if (complete_.load(std::memory_order_acquire))
      return true;
    std::unique_lock const alone(progress_, std::try_to_lock);
    if (!alone.owns_lock())
      return false;
    if (complete_.load(std::memory_order_acquire))
      return true;
    bool const done = advance();
    complete_.store(done, std::memory_order_release);
    return done;
  }

  /// Is held by the thread that advances the epoch.
  std::mutex& mutex() noexcept { return progress_; }

private:
  std::atomic<bool> complete_ = true;
  std::mutex progress_;
};

} // namespace seam::detail
