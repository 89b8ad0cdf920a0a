// The program of README.md and docs/getting-started.md: two phases that separate.
//
//     mpiexec -n 3 first
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {256, 256}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  u.fill([](auto x) { return std::sin(7e4 * (x[0] + 1) * (x[1] + 2)); });

  seam::Steps step(grid);
  step.each(
      "separate", updates(u, seam::star(1)), SEAM_KERNEL(auto u) {
        auto const neighbors = u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1);
        u = u() + 0.2 * (neighbors - 4 * u()) + 0.1 * (u() - u() * u() * u());
      });
  step.run(1000);
  seam::write_png(u, "u.png");
}
