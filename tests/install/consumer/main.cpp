// A program outside seam's tree: the average of the four neighbors leaves a constant as it is,
// which holds only if every ghost cell has its owner's value.
#include <seam/seam.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);

  seam::Grid<2> grid(
      runtime, {.cells = {24, 18}, .periodic = {true, true}, .neighborhood = seam::von_neumann(1)});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill(1.0);

  seam::Iterate loop(grid, u, next);
  for (int step = 0; step < 3; ++step)
    loop.sweep(SEAM_KERNEL(auto u, int i, int j) {
      return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
    });

  double const change = loop.change();
  if (grid.rank() == 0)
    std::printf("a constant changed by %g on %d ranks\n", change, grid.size());
  return change == 0 ? 0 : 1;
}
