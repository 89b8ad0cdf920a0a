#include <seam/exchange/waiting/detail/lone_watch.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/background_thread.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace seam::detail {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Pauses between looks: a part of the time before reports.
constexpr int looks_in_time = 10;
constexpr milliseconds shortest_pause{5}, longest_pause{250};

/// How long a waiting thread has to tell what is missing.
constexpr milliseconds longest_for_text{500};

/// If the watch of the job has not looked for so long, the waiting thread is in the MPI library.
constexpr milliseconds longest_between_looks{1000};

constinit std::atomic<clock::rep> last_look_of_job = 0;

class lone_watch {
public:
  static lone_watch& of_process() {
    static lone_watch only;
    return only;
  }

private:
  lone_watch() : rank_(mpi::comm_view(MPI_COMM_WORLD).rank()) {
    look(); // here, so that the thread takes no memory
    thread_ = start_background_thread([this](std::stop_token const& stop) { run(stop); });
  }

  void run(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested())
      stopped_.wait_for(lock, stop, look(), [] { return false; });
  }

  /// Looks at the waits of all threads; returns the pause before the next look.
  milliseconds look() noexcept {
    try {
      auto const limit = time_before_report();
      if (!limit || has_left() || !is_alone())
        return longest_pause;
      list_threads(threads_);
      auto const now = clock::now();
      for (auto const& thread : threads_)
        look_at(*thread, now, *limit);
      return std::clamp(std::chrono::duration_cast<milliseconds>(*limit / looks_in_time),
                        shortest_pause, longest_pause);
    } catch (...) { // without memory there is no report
      return longest_pause;
    }
  }

  /// True if the watch of the job does not look at the waits.
  bool is_alone() const {
    if (!is_watched() || is_watched_at_any_time())
      return !is_watched();
    auto const last = clock::time_point(clock::duration(last_look_of_job.load()));
    return clock::now() - last > longest_between_looks;
  }

  void look_at(thread_calls& thread, clock::time_point now, stall_time limit) {
    seen_wait& seen = thread.seen;
    auto const wait = thread.wait.load(std::memory_order_acquire);
    if (wait % 2 == 0 || seen.wait != wait)
      seen = {.wait = wait, .begin = now};
    if (wait % 2 == 0 || now - seen.begin < limit || seen.state == seen_wait::reported)
      return;
    if (seen.state == seen_wait::lasts) {
      thread.text_is_wanted.store(true, std::memory_order_relaxed);
      seen.state = seen_wait::asked;
    }
    bool const tells = thread.num_watches.load(std::memory_order_relaxed) > 0 &&
                       thread.text_is_wanted.load(std::memory_order_relaxed);
    if (tells && now - seen.begin < limit + longest_for_text)
      return;
    seen.state = seen_wait::reported;
    report(thread, wait, now - seen.begin);
  }

  void report(thread_calls& thread, std::uint32_t wait, stall_time waited) const {
    char const* const name = thread.name.load(std::memory_order_relaxed);
    std::string line = fmt::format("seam: rank {} has waited for {:.3g} s in {}", rank_,
                                   waited.count(), name != nullptr ? name : "a call");
    {
      std::scoped_lock const lock(thread.text_mutex);
      if (!thread.text.empty())
        line += ": " + thread.text;
    }
    if (thread.wait.load(std::memory_order_acquire) == wait)
      print_stall(line);
  }

  int rank_;
  std::vector<std::shared_ptr<thread_calls>> threads_;
  std::mutex mutex_; ///< of the condition alone
  std::condition_variable_any stopped_;
  std::jthread thread_; ///< the last member: it uses the others
};

} // namespace

void begin_lone_watch() noexcept {
  static constinit std::atomic<bool> has_begun = false;
  try {
    if (!has_begun.load(std::memory_order_relaxed) && time_before_report()) {
      has_begun.store(true, std::memory_order_relaxed);
      static_cast<void>(lone_watch::of_process());
    }
  } catch (...) { // a wrong setting is refused elsewhere
  }
}

void note_watch_of_job() noexcept {
  last_look_of_job.store(clock::now().time_since_epoch().count(), std::memory_order_relaxed);
}

} // namespace seam::detail
