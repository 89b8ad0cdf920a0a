// The program that docs/steps.md shows: water that warms the shell around it.
//
//     mpiexec -n 4 borders
//     after 500 steps the water has lost 113.170, the shell has got 113.170
#include <seam/seam.hpp>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime.world(), {.cells = {60, 60}, .periodic = {true, false}});
  auto water = grid.field<double>("water", {.levels = 2});
  auto shell = grid.field<double>("shell"); // only its outermost layers are used
  water.fill(1.0);

  // Half of the difference crosses the border in a step, as through a wall of two cells.
  water.boundary(shell, [](seam::ghost_cell<double, 2> const& ghost, double shell) {
    return ghost.inside + 0.5 * (shell - ghost.inside);
  });

  constexpr double k = 0.2;
  seam::Steps step(grid);
  step.each(
      "conduct", updates(water, seam::star(1)),
      SEAM_KERNEL(auto u) { u = u() + k * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()); });
  for (auto const end : {seam::side::low, seam::side::high})
    step.each(
            "warm", modifies(shell), reads(water[-1]),
            SEAM_KERNEL(auto s, auto before) { s = s() + 0.5 * k * (before() - s()); })
        .where(seam::border_layers{1, end});
  double const before = sum(water);
  step.run(500);
  seam::print(runtime, "after {} steps the water has lost {:.3f}, the shell has got {:.3f}\n",
              step.num_steps(), before - sum(water), sum(shell));
}
