// seam-heat relaxes the temperature of a ring that is cold on one edge and hot on the other: the
// shortest whole program with Iterate, which docs/tutorial.md explains. Writes u.vtkhdf.
//
// Sample run: mpiexec -n 2 seam-heat
#include <seam/seam.hpp>

#include <cmath>
#include <numbers>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv, {.does = "Relaxes a ring's temperature. Writes u.vtkhdf."});

  seam::Grid<2> grid(runtime, {.cells = {64, 64},
                               .periodic = {true, false},
                               .neighborhood = seam::von_neumann(1)});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill([](auto x) { return std::sin(2 * std::numbers::pi * x[0]) * x[1]; });
  u.boundary(seam::dirichlet([](auto x) { return x[1]; }));
  seam::require_room(grid, std::tie(u), "u.vtkhdf");

  seam::Iterate loop(grid, u, next);
  while (!loop.converged(1e-8))
    loop.sweep(SEAM_KERNEL(auto u, int i, int j) {
      return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
    });

  seam::write(grid, u, "u.vtkhdf");
  seam::print_written(runtime, {"u.vtkhdf"});
}
