// The program that docs/collectives.md shows.
//
//     mpiexec -n 4 collectives
//     heat of a cell 1.000000, at most 1.000000
#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <array>
#include <functional>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  int const rank = runtime.rank(), size = runtime.size();
  int const left = (rank + size - 1) % size, right = (rank + 1) % size;

  // A graph: each rank sends to both of its neighbors on a ring, and receives from both.
  seam::Communicator const ring =
      seam::make_graph(runtime, seam::Topology::graph({{right}, {left}}, {{left}, {right}}));

  // Each rank has one cell. The one of rank 0 is hot, and the heat spreads along the ring.
  std::array<double, 1> cell{rank == 0 ? double(size) : 0}, neighbors{}, heat{}, hottest{};
  seam::operation ask_neighbors =
      seam::prepare(ring, seam::allreduce(cell, neighbors, std::plus<>()));
  for (int step = 0; step < 100; ++step) {
    ask_neighbors.run();
    cell[0] = (cell[0] + neighbors[0]) / 3;
  }

  // The same collective among all ranks: one in the background, one that blocks.
  seam::in_flight flying = seam::start(runtime, seam::allreduce(cell, heat, std::plus<>()));
  seam::run(runtime, seam::allreduce(cell, hottest, seam::larger()));
  flying.wait();

  seam::print(runtime, "heat of a cell {:.6f}, at most {:.6f}\n", heat[0] / size, hottest[0]);
}
