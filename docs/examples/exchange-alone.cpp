// The program that docs/exchange-alone.md shows: halos of own arrays, without grids and Kokkos.
//
//     mpiexec -n 3 exchange-alone
//     heat 45.914870701731687
#include <seam/exchange.hpp>
#include <seam/halo.hpp>
#include <seam/sum.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <vector>

constexpr std::int64_t columns = 16;

// One sweep over the rows [first, last) of a plate: each cell becomes the mean of its neighbors.
void relax(std::vector<double> const& u, std::vector<double>& next, std::int64_t first,
           std::int64_t last) {
  for (std::int64_t at = first * columns; at < last * columns; ++at)
    if (at % columns != 0 && at % columns != columns - 1)
      next[at] = 0.25 * (u[at - columns] + u[at + columns] + u[at - 1] + u[at + 1]);
}

void compute() {
  // 1. The program's own division of 24 rows, with a row above and one below for ghosts.
  auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
  int const rank = world.rank(), size = world.size();
  std::int64_t const begin = 24 * rank / size, rows = 24 * (rank + 1) / size - begin;
  std::vector<double> u((rows + 2) * columns);
  for (std::int64_t at = 0; at < std::ssize(u); ++at)
    u[at] = begin * columns + at < columns ? 1 : 0; // the plate's upper border is hot
  auto next = u;

  // 2. Which ranks are connected, and which rows travel: the plan.
  int const above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int const below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  auto const strip =
      seam::make_graph(world, seam::Topology::graph({{below}, {above}}, {{above}, {below}}));
  auto const row = [](std::int64_t r) {
    return seam::region{.offset = r * columns, .extent = {1, 1, columns}};
  };
  seam::plan const ghosts(strip.topology(), seam::regions_of_edges({row(1), row(rows)}),
                          seam::regions_of_edges({row(rows + 1), row(0)}));

  // 3. The plan for this array: requests, shared memory and checks, once and for all.
  std::array const arrays{seam::exchanged_array::of(u.data())};
  seam::operation halo = seam::make_exchange(strip, ghosts, arrays);

  // 4. The loop computes while rows travel.
  for (int step = 0; step < 100; ++step) {
    seam::in_flight flying = halo.start();
    relax(u, next, 2, rows);
    flying.wait();
    relax(u, next, 1, 2);
    relax(u, next, std::max<std::int64_t>(rows, 2), rows + 1);
    std::copy_n(next.begin() + columns, rows * columns, u.begin() + columns);
  }

  // 5. A sum with the same bits on any number of ranks.
  double const heat = seam::sum(world, std::span(u).subspan(columns, rows * columns));
  if (rank == 0)
    std::printf("heat %.15f\n", heat);
}

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  compute();
  MPI_Finalize();
}
