#include <seam/exchange/waiting/detail/attendant.hpp>

#include <seam/exchange/mpi/check.hpp>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace seam {
namespace {

/// Between rounds of the thread: short after an operation has moved, longer with each round; the
/// longest depends on what the enlisted operations wait for.
constexpr std::chrono::microseconds first_pause{50};
constexpr std::chrono::microseconds longest_if_more_comes{2000}, longest_if_started{10000},
    longest_at_rest{20000};

/// Operations that are enlisted: waits look here before they look for the attendant.
constinit std::atomic<int> num_enlisted = 0;

/// True while this thread attends, which a wait inside attend() must not do again.
thread_local bool is_attending = false;

class attendant {
public:
  static attendant& of_process() {
    static attendant only;
    return only;
  }

  void begin(attended& one) {
    std::scoped_lock const lock(mutex_);
    if (all_.empty() && !ends_with_mpi_)
      end_with_mpi();
    all_.push_back(&one);
    num_enlisted.store(static_cast<int>(all_.size()), std::memory_order_release);
    pause_ = first_pause;
    if (all_.size() == 1)
      changed_.notify_one();
  }

  void stop(attended& one) {
    std::scoped_lock const lock(mutex_);
    std::erase(all_, &one);
    num_enlisted.store(static_cast<int>(all_.size()), std::memory_order_release);
  }

  void stop_all() {
    std::scoped_lock const lock(mutex_);
    all_.clear();
    num_enlisted.store(0, std::memory_order_release);
  }

  void employ() {
    if (employed_.test(std::memory_order_relaxed) || mpi::thread_level() < MPI_THREAD_MULTIPLE ||
        employed_.test_and_set())
      return;
    std::scoped_lock const lock(mutex_);
    thread_ = std::jthread([this](std::stop_token const& stop) { run(stop); });
  }

  void help() noexcept {
    if (is_attending || !may_call_mpi())
      return;
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (lock.owns_lock())
      attend_to_each();
  }

private:
  /// What the thread has seen in a round.
  enum class round { at_rest, started, more_comes };

  /// MPI_Finalize first frees what is kept with MPI_COMM_SELF: from then on the list is empty.
  void end_with_mpi() {
    int key = MPI_KEYVAL_INVALID;
    auto const stop = [](MPI_Comm, int, void*, void*) {
      of_process().stop_all();
      return MPI_SUCCESS;
    };
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stop, &key, nullptr),
               "MPI_Comm_create_keyval");
    mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    mpi::check(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
    ends_with_mpi_ = true;
  }

  /// Whether MPI's thread level lets this thread make the calls that moving messages takes.
  static bool may_call_mpi() noexcept {
    thread_local bool const may = [] {
      int level = MPI_THREAD_SINGLE, is_main = 0;
      MPI_Query_thread(&level);
      MPI_Is_thread_main(&is_main);
      return level >= MPI_THREAD_SERIALIZED || is_main != 0;
    }();
    return may;
  }

  round attend_to_each() noexcept {
    is_attending = true;
    round seen = round::at_rest;
    for (attended* const one : all_)
      if (!one->is_at_rest())
        seen = std::max(seen, one->attend() ? round::more_comes : round::started);
    is_attending = false;
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
      pause_ = std::min(2 * pause_, longest_pause_after(attend_to_each()));
      changed_.wait_for(lock, stop, pause_, [] { return false; });
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<attended*> all_;
  std::chrono::microseconds pause_ = first_pause;
  bool ends_with_mpi_ = false;
  std::atomic_flag employed_;
  std::jthread thread_;
};

} // namespace

void begin_attending(attended& one) { attendant::of_process().begin(one); }
void stop_attending(attended& one) { attendant::of_process().stop(one); }
void employ_attendant() { attendant::of_process().employ(); }

void attend_to_all() noexcept {
  if (num_enlisted.load(std::memory_order_acquire) > 0)
    attendant::of_process().help();
}

void attend_now_and_then() noexcept {
  constexpr unsigned calls_between = 16;
  thread_local unsigned calls = 0;
  if (++calls % calls_between == 0)
    attend_to_all();
}

} // namespace seam
