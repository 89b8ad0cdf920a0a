// The program that docs/coming-from.md shows to users of ImplicitGlobalGrid: heat in a cube.
//
//     mpiexec -n 3 from-igg
//     after 100 steps at most 59.838689
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<3> grid(runtime, {.cells = {32, 32, 32}});
  double const dx = grid.spacing()[0], dt = dx * dx / 8.1;

  auto heat = grid.field<double>("heat"), capacity = grid.field<double>("capacity");
  auto const around_center = [](auto x, double radius) {
    double const r2 = std::pow(x[0] - 0.5, 2) + std::pow(x[1] - 0.5, 2) + std::pow(x[2] - 0.5, 2);
    return std::exp(-r2 / (radius * radius));
  };
  heat.fill([=](auto x) { return 100 * around_center(x, 0.2); });
  capacity.fill([=](auto x) { return 1 + 4 * around_center(x, 0.1); });
  heat.boundary(seam::dirichlet(0.0));

  seam::Steps step(grid);
  step.each(
      "heat", updates(heat, seam::star(1)), reads(capacity), SEAM_KERNEL(auto t, auto c) {
        t = t() + dt / (c() * dx * dx) *
                      (t(1, 0, 0) + t(-1, 0, 0) + t(0, 1, 0) + t(0, -1, 0) + t(0, 0, 1) +
                       t(0, 0, -1) - 6 * t());
      });
  step.run(100);
  seam::print(runtime, "after {} steps at most {:.6f}\n", step.num_steps(), seam::maximum(heat));
}
