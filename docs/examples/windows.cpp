// The program that docs/windows.md shows.
//
//     mpiexec -n 4 windows
//     4 of 4 ranks have what their neighbor wrote
#include <seam/exchange.hpp>
#include <seam/program.hpp>
#include <seam/windows.hpp>

#include <array>
#include <functional>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  int const rank = runtime.rank(), size = runtime.size();
  int const left = (rank + size - 1) % size, right = (rank + 1) % size;

  // On a graph: each rank may write to its right neighbor. A fence waits only for neighbors.
  seam::Communicator const ring =
      seam::make_graph(runtime, seam::Topology::graph({{left}}, {{right}}));
  seam::window<int> inbox(ring, 2);
  std::array<int, 2> const message{rank, 10 * rank};
  inbox.fence();
  inbox.put(right, 0, message);
  inbox.close_epoch(); // it is there
  bool const is_right = inbox.local()[0] == left && inbox.local()[1] == 10 * left;

  // Among all ranks: a counter of rank 0, to which ranks add whenever they like.
  seam::window<int> counter(runtime, rank == 0 ? 1 : 0);
  std::array<int, 1> const one{is_right ? 1 : 0};
  {
    auto const access = counter.lock(0, seam::lock_kind::shared);
    counter.accumulate(0, 0, one, std::plus<>());
  }
  seam::run(runtime, seam::barrier()); // all have added
  std::array<int, 1> count{};
  auto access = counter.lock(0, seam::lock_kind::shared);
  counter.get(0, 0, count);
  access.unlock(); // count is there

  seam::print(runtime, "{} of {} ranks have what their neighbor wrote\n", count[0], size);
}
