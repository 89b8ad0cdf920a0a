// The program that docs/steps.md shows: pulses that leave, by conditions that see two values inside.
//
//     mpiexec -n 4 outflow
//     after 80 steps 0.96136 and 0.96104 of the pulses are left
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<1> grid(runtime, {.cells = {120}});
  auto smooth = grid.field<double>("smooth"), wave = grid.field<double>("wave");
  for (auto* const field : {&smooth, &wave}) {
    field->fill([](auto x) { return std::exp(-400 * (x[0] - 0.6) * (x[0] - 0.6)); });
    field->boundary(0, seam::side::low, seam::outside(0.0));
  }

  // Both travel by half a cell in a step. One continues beyond the border as a parabola, the other
  // half as steep as a line.
  constexpr double c = 0.5;
  smooth.boundary(0, seam::side::high, seam::quadratic_extrapolation());
  wave.boundary(0, seam::side::high, seam::sees(1, [](auto const& ghost) {
                  return ghost.inside(0) + c * (ghost.inside(0) - ghost.inside(1));
                }));

  seam::Steps step(grid);
  for (auto* const field : {&smooth, &wave})
    step.each(
        "move", updates(*field, seam::line(0, -1, 1)), SEAM_KERNEL(auto u) {
          u = u() - 0.5 * c * (u(1) - u(-1)) + 0.5 * c * c * (u(1) - 2 * u() + u(-1));
        });
  double const before = sum(wave);
  step.run(80);
  seam::print(runtime, "after {} steps {:.5f} and {:.5f} of the pulses are left\n",
              step.num_steps(), sum(smooth) / before, sum(wave) / before);
}
