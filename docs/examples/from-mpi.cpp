// The programs that docs/coming-from.md compares: heat by hand-written MPI and by seam.
//
//     mpiexec -n 3 from-mpi
//     by hand 46584.314430676, by seam 46584.314430676
#include <seam/seam.hpp>

#include <array>
#include <vector>

constexpr int edge = 48, num_steps = 100;

double first_heat(int i, int j) { return (i * 7 + j * 13) % 10; }

// By hand: a torus of cells, divided by MPI_Cart_create, whose rims travel by MPI_Sendrecv.
double by_hand(MPI_Comm world) {
  int size = 0;
  MPI_Comm_size(world, &size);
  std::array<int, 2> dims{}, periods{1, 1}, at{};
  MPI_Dims_create(size, 2, dims.data());
  MPI_Comm torus = MPI_COMM_NULL;
  MPI_Cart_create(world, 2, dims.data(), periods.data(), 0, &torus);
  int rank = 0, north = 0, south = 0, west = 0, east = 0;
  MPI_Comm_rank(torus, &rank);
  MPI_Cart_coords(torus, rank, 2, at.data());
  MPI_Cart_shift(torus, 0, 1, &north, &south);
  MPI_Cart_shift(torus, 1, 1, &west, &east);

  int const ni = edge * (at[0] + 1) / dims[0] - edge * at[0] / dims[0];
  int const nj = edge * (at[1] + 1) / dims[1] - edge * at[1] / dims[1];
  int const i0 = edge * at[0] / dims[0], j0 = edge * at[1] / dims[1], width = nj + 2;
  std::vector<double> u((ni + 2) * width), next(u.size());
  for (int i = 0; i < ni; ++i)
    for (int j = 0; j < nj; ++j)
      u[(i + 1) * width + j + 1] = first_heat(i0 + i, j0 + j);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(ni, 1, width, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);

  for (int step = 0; step < num_steps; ++step) {
    auto const cell = [&](int i, int j) { return &u[(i + 1) * width + j + 1]; };
    MPI_Sendrecv(cell(0, 0), nj, MPI_DOUBLE, north, 0, cell(ni, 0), nj, MPI_DOUBLE, south, 0, torus,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell(ni - 1, 0), nj, MPI_DOUBLE, south, 1, cell(-1, 0), nj, MPI_DOUBLE, north, 1,
                 torus, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell(0, 0), 1, column, west, 2, cell(0, nj), 1, column, east, 2, torus,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell(0, nj - 1), 1, column, east, 3, cell(0, -1), 1, column, west, 3, torus,
                 MPI_STATUS_IGNORE);
    for (int at_row = width; at_row < (ni + 1) * width; at_row += width)
      for (int at_cell = at_row + 1; at_cell <= at_row + nj; ++at_cell)
        next[at_cell] = u[at_cell] + 0.1 * (u[at_cell + width] + u[at_cell - width] +
                                            u[at_cell + 1] + u[at_cell - 1] - 4 * u[at_cell]);
    u.swap(next);
  }
  MPI_Type_free(&column);

  double squares = 0, all = 0;
  for (int i = 1; i <= ni; ++i)
    for (int j = 1; j <= nj; ++j)
      squares += u[i * width + j] * u[i * width + j];
  MPI_Allreduce(&squares, &all, 1, MPI_DOUBLE, MPI_SUM, torus);
  MPI_Comm_free(&torus);
  return all;
}

// By seam.
double by_seam(seam::Communicator const& world) {
  seam::Grid<2> grid(world, {.cells = {edge, edge}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  u.fill([](auto x) { return first_heat(int(x[0] * edge), int(x[1] * edge)); });

  seam::Steps step(grid);
  step.each(
      "spread", updates(u, seam::star(1)),
      SEAM_KERNEL(auto u) { u = u() + 0.1 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()); });
  step.run(num_steps);
  return seam::sum(u, [](double value) { return value * value; });
}

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::print(runtime, "by hand {:.9f}, by seam {:.9f}\n", by_hand(MPI_COMM_WORLD),
              by_seam(runtime));
}
