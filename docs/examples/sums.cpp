// The program that docs/tutorial.md shows for sums and norms.
//
//     mpiexec -n 3 sums
//     heat 0.5, 1024 cells above 0.75, least 0.0078125, largest 0.9921875
//     difference 0.33331298828125 in L2, at most 0.98443603515625; 3 blocks of 4096 cells
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {64, 64}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill([](auto x) { return x[0]; });
  v.fill([](auto x) { return x[0] * x[1]; });

  double const volume = grid.spacing()[0] * grid.spacing()[1];
  double const heat = volume * seam::sum(u);
  auto const num_hot = seam::sum(u, [](double value) { return value > 0.75; });
  auto const difference = [u = u.view(), v = v.view()](int i, int j) { return u(i, j) - v(i, j); };
  double const l2 = std::sqrt(volume) * seam::norm(grid, difference);
  double const most = seam::maximum_norm(grid, difference);
  auto const [blocks, cells] = seam::sum(runtime, 1, grid.owned().num_cells());

  seam::print(runtime, "heat {}, {} cells above 0.75, least {}, largest {}\n", heat, num_hot,
              seam::minimum(u), seam::maximum(u));
  seam::print(runtime, "difference {} in L2, at most {}; {} blocks of {} cells\n", l2, most, blocks,
              cells);
}
