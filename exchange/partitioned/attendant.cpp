#include <seam/exchange/partitioned/attendant.hpp>

#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/mpi/names.hpp>

#include <fmt/format.h>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace seam {
namespace {

/// Between rounds: short after something new has come, longer with each round, longest if nothing
/// is to come soon.
constexpr std::chrono::microseconds first_pause{50}, longest_pause{2000}, idle_pause{10000};

class attendant {
public:
  static attendant& of_process() {
    static attendant only;
    return only;
  }

  void begin(attended& one) {
    std::scoped_lock const lock(mutex_);
    all_.push_back(&one);
    pause_ = first_pause;
    if (!thread_.joinable())
      end_with_mpi();
    if (!thread_.joinable())
      thread_ = std::jthread([this](std::stop_token const& stop) { run(stop); });
    else
      changed_.notify_one();
  }

  void stop(attended& one) {
    std::scoped_lock const lock(mutex_);
    std::erase(all_, &one);
  }

  void stop_all() {
    std::scoped_lock const lock(mutex_);
    all_.clear();
  }

  void help() noexcept {
    std::unique_lock const lock(mutex_, std::try_to_lock);
    if (lock.owns_lock())
      attend_to_each();
  }

private:
  /// MPI_Finalize first frees what is kept with MPI_COMM_SELF: nobody is attended to from then on.
  static void end_with_mpi() {
    int key = MPI_KEYVAL_INVALID;
    auto const stop = [](MPI_Comm, int, void*, void*) {
      of_process().stop_all();
      return MPI_SUCCESS;
    };
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stop, &key, nullptr),
               "MPI_Comm_create_keyval");
    mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
    mpi::check(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  }

  bool attend_to_each() noexcept {
    bool busy = false;
    for (attended* const one : all_)
      busy = one->attend() || busy;
    return busy;
  }

  void run(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !all_.empty(); })) {
      pause_ = std::min(2 * pause_, attend_to_each() ? longest_pause : idle_pause);
      changed_.wait_for(lock, stop, pause_, [] { return false; });
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<attended*> all_;
  std::chrono::microseconds pause_ = first_pause;
  std::jthread thread_;
};

} // namespace

std::optional<std::string> why_nobody_attends(char const* call) {
  int const level = mpi::thread_level();
  if (level >= MPI_THREAD_MULTIPLE)
    return std::nullopt;
  return fmt::format("{}: MPI has been started with {} (expected MPI_THREAD_MULTIPLE, as by "
                     "MPI_Init_thread)",
                     call, mpi::name_of_thread_level(level));
}

void begin_attending(attended& one) { attendant::of_process().begin(one); }
void stop_attending(attended& one) { attendant::of_process().stop(one); }
void attend_to_all() noexcept { attendant::of_process().help(); }

} // namespace seam
