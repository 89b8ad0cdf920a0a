// What a process says that may take no more memory: threads that cannot start, and calls of MPI that fail
// without a reason.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/background_thread.hpp>

#include <support/catch.hpp>
#include <support/memory_limit.hpp>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace seam;
using Catch::Contains;

namespace {

/// Starts threads that stay, of whose stacks the first few may lie where ended threads have left theirs.
std::string refusal_of_many_threads() {
  std::vector<std::jthread> threads;
  threads.reserve(64);
  try {
    for (int k = 0; k < 64; ++k)
      threads.push_back(detail::start_background_thread([](std::stop_token const& stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        stopped.wait(lock, stop, [] { return false; });
      }));
  } catch (error const& problem) {
    return problem.what();
  }
  return "";
}

std::string refusal_of_other_error() {
  try {
    mpi::check(MPI_ERR_OTHER, "MPI_Barrier");
  } catch (mpi_error const& problem) {
    return problem.what();
  }
  return "";
}

} // namespace

TEST_CASE("a thread that cannot start names the limits that it may have met") {
  constexpr rlim_t room = 1 << 20;
  std::string line;
  {
    testing::memory_limit const limit(room);
    line = refusal_of_many_threads();
  }
  CHECK_THAT(line, Contains("threads: another thread cannot start") && Contains("ulimit -v") &&
                       Contains("ulimit -u"));
  CHECK(refusal_of_many_threads() == "");
}

TEST_CASE("an error of MPI without a reason names the limit of memory, if there is one") {
  std::string line;
  {
    constexpr rlim_t room = 1 << 20;
    testing::memory_limit const limit(room);
    line = refusal_of_other_error();
  }
  CHECK_THAT(line, Contains("MPI_Barrier failed") && Contains("(ulimit -v)"));
  CHECK_THAT(refusal_of_other_error(), !Contains("ulimit"));
}
