// The program that docs/mapping.md shows.
//
//     mpiexec -n 4 mapping
//     2 x 2 processes, wrong: 0
//     between 50 nodes: 1204 of 4704 edges
#include <seam/exchange.hpp>
#include <seam/mapping.hpp>
#include <seam/program.hpp>
#include <seam/sum.hpp>

#include <array>
#include <vector>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);

  // 1. Coordinates for ranks: a torus of processes, as square as their number allows.
  auto const dims = seam::dims_create(runtime.size(), std::array{0, 0});
  seam::CartesianNaming const naming(runtime.size(), dims, {true, true});

  // 2. Ranks where their neighbors are near, and a graph of their edges.
  auto const around = seam::von_neumann(1);
  auto const [near, report] = seam::reorder(runtime, naming, around);
  auto const topology = seam::make_topology(naming, near.rank(), around);
  seam::Communicator const grid = seam::make_named_graph(near, topology);

  // 3. What is sent along an offset arrives along the same offset, from the opposite side.
  auto const offsets = around.expand(2);
  std::vector<int> const out(offsets.size(), grid.rank());
  std::vector<int> in(out.size());
  seam::run(grid, seam::alltoall(out, in));
  int num_wrong = 0;
  for (int i = 0; i < offsets.size(); ++i)
    num_wrong += in[i] != naming.relative_shift(grid.rank(), offsets[i]).in;
  seam::print(grid, "{} x {} processes, wrong: {}\n", dims[0], dims[1], seam::sum(grid, num_wrong));

  // 4. A plan for a machine that is only described.
  seam::mapping_problem const problem({{50, 48}, {false, false}, around.expand(2)},
                                      seam::parse_machine("node:50 core:48"));
  auto const found = seam::map_ranks(problem, "best");
  seam::print(grid, "between 50 nodes: {} of {} edges\n", found->after.front().volume.sum,
              found->before.front().volume.sum);
}
