// The program that docs/steps.md shows: a wave in a closed box, its velocities on faces by one kernel.
//
//     mpiexec -n 4 staggered
//     after 300 steps 1.000000000 of the pressure, at most 0.0595
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {60, 80}});
  auto pressure = grid.field<double>("pressure");
  auto u = grid.field<double>("u", {.on = seam::on_faces(1)});
  auto v = grid.field<double>("v", {.on = seam::on_faces(0)});
  pressure.fill([](auto x) { return std::exp(-50 * std::hypot(x[0] - 0.3, x[1] - 0.6)); });
  pressure.boundary(seam::neumann(0.0)); // so that nothing flows through walls
  u.fill(0.0);
  v.fill(0.0);

  constexpr double c = 0.5;
  seam::Steps step(grid);
  step.each(
      "velocities", modifies(u), modifies(v), reads(pressure, seam::range({-1, 0}, {-1, 0})),
      SEAM_KERNEL(auto u, auto v, auto p) {
        u = u() - c * (p(0, 0) - p(0, -1));
        v = v() - c * (p(0, 0) - p(-1, 0));
      });
  step.each(
      "pressure", modifies(pressure), reads(u, seam::line(1, 0, 1)), reads(v, seam::line(0, 0, 1)),
      SEAM_KERNEL(auto p, auto u, auto v) {
        p = p() - c * (u(0, 1) - u(0, 0) + v(1, 0) - v(0, 0));
      });
  double const before = sum(pressure);
  step.run(300);
  seam::print(runtime, "after {} steps {:.9f} of the pressure, at most {:.4f}\n", step.num_steps(),
              sum(pressure) / before, maximum(pressure));
}
