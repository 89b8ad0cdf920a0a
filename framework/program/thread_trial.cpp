#include <seam/framework/program/thread_trial.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

using steady = std::chrono::steady_clock;

/// Waits for both requests. Returns false if one fails or is not complete by `end`.
bool complete(std::array<MPI_Request, 2>& requests, steady::time_point end) {
  for (int done = 0; done == 0; std::this_thread::yield()) {
    if (MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
      return false;
    if (done == 0 && steady::now() > end)
      return false;
  }
  return true;
}

/// The messages of one thread around the ring of all ranks, with a tag of its own. The caller keeps
/// the object, and so its buffers, as long as a message that did not arrive may still be received.
class ring_of_thread {
public:
  ring_of_thread(mpi::comm_view over, int tag) : over_(over), tag_(tag) {}

  bool run(steady::time_point end) {
    constexpr int rounds = 50;
    int const size = over_.size(), before = (over_.rank() + size - 1) % size;
    for (int round = 0; round < rounds; ++round) {
      if (steady::now() > end)
        return false;
      send_.fill(over_.rank() * rounds + round);
      if (!exchange(before, (over_.rank() + 1) % size, end))
        return false;
      int const expected = before * rounds + round;
      if (std::ranges::count(receive_, expected) != std::ssize(receive_))
        return false;
    }
    return true;
  }

private:
  bool exchange(int from, int to, steady::time_point end) {
    int const length = static_cast<int>(send_.size());
    std::array requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    return MPI_Irecv(receive_.data(), length, MPI_INT, from, tag_, over_.native(), &requests[0]) ==
               MPI_SUCCESS &&
           MPI_Isend(send_.data(), length, MPI_INT, to, tag_, over_.native(), &requests[1]) ==
               MPI_SUCCESS &&
           complete(requests, end);
  }

  mpi::comm_view over_;
  int tag_;
  std::array<int, 256> send_{}, receive_{};
};

} // namespace

bool threads_may_call_together(mpi::comm_view over, int num_threads,
                               std::chrono::milliseconds limit) {
  auto const own = mpi::dup(over);
  // Keeps the rings of a failed trial to the end of the program: MPI may still write to them.
  static std::vector<std::unique_ptr<std::vector<ring_of_thread>>> unfinished;
  auto rings = std::make_unique<std::vector<ring_of_thread>>();
  for (int tag = 0; tag < num_threads; ++tag)
    rings->emplace_back(own, tag);
  std::atomic<int> failures = 0;
  auto const end = steady::now() + limit;
  std::vector<std::thread> threads;
  for (ring_of_thread& ring : *rings)
    threads.emplace_back([&] { failures += ring.run(end) ? 0 : 1; });
  for (std::thread& thread : threads)
    thread.join();
  bool const good = mpi::allreduce(over, failures.load(), MPI_MAX) == 0;
  if (!good) {
    unfinished.push_back(std::move(rings));
    mpi::keep_for_ever(own);
  }
  return good;
}

} // namespace seam::detail
