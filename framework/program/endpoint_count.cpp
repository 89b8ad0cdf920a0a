#include <seam/framework/program/endpoint_count.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/endpoints.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace seam::detail {
namespace {

/// The number of --endpoints; 0: the environment's.
constinit int wished_count = 0;

} // namespace

bool names_endpoints(int argc, char const* const* argv) noexcept {
  return std::getenv(variable_of_endpoints) != nullptr ||
         std::any_of(argv, argv + argc, [](char const* argument) {
           return std::string_view(argument).starts_with("--endpoints");
         });
}

void set_endpoint_count(int count) noexcept { wished_count = count; }

int endpoint_count(mpi::comm_view processes) {
  int const own = collectively(processes, [&] {
    if (wished_count > 0)
      return wished_count;
    return endpoints_of_environment(processes).value_or(0);
  });
  // One for each process is the process itself. A process whose environment does not say how many
  // has one, if another's does.
  return mpi::allreduce(processes, own, MPI_MAX) <= 1 ? 0 : std::max(own, 1);
}

namespace {

/// The endpoints of this process as they come to their ends.
class endings {
public:
  explicit endings(int num_endpoints) : num_left_(num_endpoints) {}

  void note(std::optional<job_error> error) {
    std::scoped_lock const lock(mutex_);
    if (error && !first_)
      first_ = std::move(error);
    --num_left_;
    changed_.notify_one();
  }

  /// Returns the first error when all have ended; ends the job if they do not soon after an error.
  std::optional<job_error> wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return num_left_ == 0 || first_; });
    if (!first_)
      return std::nullopt;
    auto const limit = std::chrono::seconds(first_->on_all_ranks ? 5 : 1);
    if (changed_.wait_for(lock, limit, [this] { return num_left_ == 0; }))
      return first_;
    print_last_error(first_->line);
    end_job();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int num_left_;
  std::optional<job_error> first_;
};

std::optional<job_error> run_one(Runtime const& process, Communicator const& all, int num_threads,
                                 std::function<void(Runtime&)> const& body) {
  try {
    Runtime own(process, all, num_threads);
    try {
      body(own);
    } catch (...) {
      return report_of(std::current_exception());
    }
    return std::nullopt;
  } catch (...) {
    return report_of(std::current_exception());
  }
}

} // namespace

std::optional<job_error> run_on_endpoints(Runtime& runtime, int how_many,
                                          std::function<void(Runtime&)> const& body) {
  int const num_threads = std::max(1, runtime.num_threads() / how_many);
  Endpoints const endpoints(runtime.world(), how_many);
  int const first = endpoints.all().rank();
  Communicator const& all = endpoints.all();
  detach(); // with MPI_THREAD_FUNNELED an endpoint has one thread
  endings ended(how_many);
  std::vector<std::jthread> threads;
  for (int index = 0; index < how_many; ++index)
    threads.emplace_back([&, index] {
      attach(first + index, all);
      ended.note(run_one(runtime, endpoints.all(), num_threads, body));
    });
  return ended.wait();
}

} // namespace seam::detail
