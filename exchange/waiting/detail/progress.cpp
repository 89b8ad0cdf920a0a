#include <seam/exchange/waiting/detail/progress.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/detail/background_thread.hpp>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// Pauses between rounds of the thread: short after a new operation, longer with each round; the
/// longest depends on what the listed operations wait for.
constexpr std::chrono::microseconds first_pause{50};
constexpr std::chrono::microseconds longest_if_more_comes{2000}, longest_if_started{10000},
    longest_at_rest{20000};

/// Number of listed operations; waits read it before they lock the list.
constinit std::atomic<int> num_listed = 0;

/// True while this thread makes progress: a wait inside make_progress() must not do so again.
thread_local bool is_in_progress = false;

class operations_in_flight {
public:
  static operations_in_flight& of_process() {
    static operations_in_flight only;
    return only;
  }

  void begin(progressable& operation) {
    std::scoped_lock const lock(mutex_);
    if (!std::exchange(ends_with_mpi_, true))
      mpi::before_end([] { of_process().stop_all(); });
    all_.push_back(&operation);
    num_listed.store(static_cast<int>(all_.size()), std::memory_order_release);
    pause_ = first_pause;
    if (all_.size() == 1)
      changed_.notify_one();
  }

  void stop(progressable& operation) {
    std::scoped_lock const lock(mutex_);
    std::erase(all_, &operation);
    num_listed.store(static_cast<int>(all_.size()), std::memory_order_release);
  }

  void stop_all() {
    std::scoped_lock const lock(mutex_);
    all_.clear();
    num_listed.store(0, std::memory_order_release);
  }

  void start_thread() {
    if (has_thread_.test(std::memory_order_relaxed) || mpi::thread_level() < MPI_THREAD_MULTIPLE ||
        has_thread_.test_and_set())
      return;
    std::scoped_lock const lock(mutex_);
    thread_ = start_background_thread([this](std::stop_token const& stop) { run(stop); });
  }

  void move_all() noexcept {
    if (is_in_progress || !may_call_mpi())
      return;
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (lock.owns_lock())
      move_each();
  }

private:
  /// The state of the listed operations in a round of the thread.
  enum class round { at_rest, started, more_comes };

  /// True if MPI's thread level lets this thread make the calls that move messages.
  static bool may_call_mpi() noexcept {
    thread_local bool const may = [] {
      int level = MPI_THREAD_SINGLE, is_main = 0;
      MPI_Query_thread(&level);
      MPI_Is_thread_main(&is_main);
      return level >= MPI_THREAD_SERIALIZED || is_main != 0;
    }();
    return may;
  }

  round move_each() noexcept {
    is_in_progress = true;
    round seen = round::at_rest;
    for (progressable* const operation : all_)
      if (!operation->is_at_rest())
        seen = std::max(seen, operation->make_progress() ? round::more_comes : round::started);
    is_in_progress = false;
    return seen;
  }

  static std::chrono::microseconds longest_pause_after(round seen) noexcept {
    switch (seen) {
    case round::more_comes: return longest_if_more_comes;
    case round::started: return longest_if_started;
    case round::at_rest: break;
    }
    return longest_at_rest;
  }

  void run(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    auto const has_work = [this] { return !all_.empty(); };
    while (changed_.wait(lock, stop, has_work) && !stop.stop_requested()) {
      pause_ = std::min(2 * pause_, longest_pause_after(move_each()));
      changed_.wait_for(lock, stop, pause_, [] { return false; });
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<progressable*> all_;
  std::chrono::microseconds pause_ = first_pause;
  bool ends_with_mpi_ = false;
  std::atomic_flag has_thread_;
  std::jthread thread_;
};

} // namespace

void add_to_progress(progressable& operation) {
  operations_in_flight::of_process().begin(operation);
}
void remove_from_progress(progressable& operation) {
  operations_in_flight::of_process().stop(operation);
}
void end_progress() noexcept { operations_in_flight::of_process().stop_all(); }
void start_progress_thread() { operations_in_flight::of_process().start_thread(); }

void progress_all() noexcept {
  if (num_listed.load(std::memory_order_acquire) > 0)
    operations_in_flight::of_process().move_all();
}

void progress_now_and_then() noexcept {
  constexpr unsigned calls_between = 16;
  thread_local unsigned calls = 0;
  if (++calls % calls_between == 0)
    progress_all();
}

} // namespace seam::detail
