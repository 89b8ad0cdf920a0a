// Operations that are listed for progress move while their process waits for others, and while it
// computes if there is a progress thread.
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <support/catch.hpp>

#include <mpi.h>

#include <array>
#include <atomic>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

/// True once the progress thread runs, with which no case can count what its own calls move.
bool thread_runs = false;

/// Counts how often it is moved.
class counter final : public progressable {
public:
  counter() { add_to_progress(*this); }
  ~counter() override { remove_from_progress(*this); }

  bool make_progress() noexcept override {
    has_moved_inside = has_moved_inside || is_moving_.exchange(true);
    progress_all(); // as an operation does that itself waits
    ++count;
    is_moving_ = false;
    return false;
  }
  bool is_at_rest() const noexcept override { return rests; }

  std::atomic<int> count = 0;
  std::atomic<bool> rests = false, has_moved_inside = false;

private:
  std::atomic<bool> is_moving_ = false;
};

} // namespace

TEST_CASE("all operations that are listed move, each once") {
  if (thread_runs)
    return;
  std::array<counter, 3> listed;
  counter resting;
  resting.rests = true;
  for (int round = 1; round <= 5; ++round) {
    progress_all();
    for (counter const& operation : listed) {
      CHECK(operation.count == round);
      CHECK_FALSE(operation.has_moved_inside);
    }
  }
  CHECK(resting.count == 0);
  resting.rests = false;
  progress_all();
  CHECK(resting.count == 1);
}

TEST_CASE("an operation that has been taken off the list does not move") {
  if (thread_runs)
    return;
  counter listed;
  progress_all();
  remove_from_progress(listed);
  progress_all();
  CHECK(listed.count == 1);
}

TEST_CASE("of calls in a loop one in sixteen moves the operations") {
  if (thread_runs)
    return;
  counter listed;
  for (int call = 0; call < 160; ++call)
    progress_now_and_then();
  CHECK(listed.count == 10);
}

TEST_CASE("a wait moves other operations until it ends") {
  counter other;
  for (patience wait; other.count < 3; wait.pause()) {
  }
  CHECK(other.count >= 3);
}

TEST_CASE("with MPI_THREAD_MULTIPLE operations move while their process computes") {
  if (mpi::thread_level() < MPI_THREAD_MULTIPLE)
    return;
  start_progress_thread();
  start_progress_thread();
  thread_runs = true;
  counter first;
  while (first.count < 10)
    std::this_thread::yield();
  int const before = first.count;
  counter second;
  while (second.count < 2 || first.count == before)
    std::this_thread::yield();
  remove_from_progress(second);
  int const last = second.count, of_first = first.count;
  while (first.count < of_first + 3)
    std::this_thread::yield();
  CHECK(second.count == last);
}
