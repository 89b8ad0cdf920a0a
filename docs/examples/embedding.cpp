// The program that docs/embedding.md shows: seam inside a program that has started MPI.
//
//     mpiexec -n 3 embedding
//     heat of 3 ranks 3.000000000, in a middle 0.058399
#include <seam/runtime.hpp>
#include <seam/steps.hpp>

#include <cstdio>
#include <vector>

// Lets heat spread on a ring of cells, with the same number on each process of `over`.
void spread(MPI_Comm over, std::vector<double>& own) {
  auto const comm = seam::Communicator::attached_to(over);
  std::int64_t const length = std::ssize(own) * comm.size();
  seam::Grid<1> grid(comm,
                     {.cells = {length},
                      .periodic = {true},
                      .reordering = {.strategy = "identity"}}); // blocks in the order of ranks
  auto heat = grid.field<double>("heat");
  auto const cells = heat.view();
  for (int i = 0; i < std::ssize(own); ++i)
    cells(i) = own[i];

  seam::Steps step(grid);
  step.each(
      "spread", updates(heat, seam::star(1)),
      SEAM_KERNEL(auto u) { u = u() + 0.25 * (u(1) + u(-1) - 2 * u()); });
  step.run(100);

  auto const newest = heat.view(); // steps have written into other memory
  for (int i = 0; i < std::ssize(own); ++i)
    own[i] = newest(i);
}

int main(int argc, char** argv) {
  // The program has its own start and end of MPI, and its own communicators.
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);

  // Even ranks compute with one array, odd ranks with another. Neither waits for the other.
  std::vector<double> own(20, 0.0);
  own[10] = 1;
  {
    seam::Runtime runtime(argc, argv); // finds MPI running, and leaves it running
    spread(half, own);
  }
  MPI_Comm_free(&half);

  double heat = 0, all = 0;
  for (double const cell : own)
    heat += cell;
  MPI_Allreduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("heat of %d ranks %.9f, in a middle %.6f\n", size, all, own[10]);
  MPI_Finalize();
}
