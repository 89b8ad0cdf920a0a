// The program that docs/steps.md shows: a field that is smoothed until it hardly changes.
//
//     mpiexec -n 3 values
//     settled after 210 steps, at most 0.021196, at (14, 27)
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {48, 40}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  u.fill([](auto x) { return std::exp(-40 * std::hypot(x[0] - 0.3, x[1] - 0.7)); });

  seam::Value<double> change("change");
  seam::Value<seam::located<double, 2>> hottest("hottest");
  seam::Steps step(grid);
  step.each(
          "smooth along 0", updates(u, seam::line(0, -1, 1)),
          SEAM_KERNEL(auto v) { v = v() + 0.25 * (v(1, 0) - 2 * v() + v(-1, 0)); })
      .every(2);
  step.each(
          "smooth along 1", updates(u, seam::line(1, -1, 1)), maximum(change),
          SEAM_KERNEL(auto v, auto most) {
            double const more = 0.25 * (v(0, 1) - 2 * v() + v(0, -1));
            most(std::abs(more));
            v = v() + more;
          })
      .every(2, 1);
  step.each(
      "hottest", maximum(hottest), reads(u), SEAM_KERNEL(auto most, auto v) { most(v()); });

  bool const has_settled = step.run_until(change, [](double most) { return most < 1e-4; },
                                          {.check_every = 10, .at_most = 5000});
  auto const [value, index] = hottest.get();
  seam::print(runtime, "{} after {} steps, at most {:.6f}, at ({}, {})\n",
              has_settled ? "settled" : "stopped", step.num_steps(), value, index[0], index[1]);
}
