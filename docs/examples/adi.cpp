// The program that docs/steps.md shows: heat by alternating directions.
//
//     mpiexec -n 4 adi
//     after 8 steps a wave has the size 0.235343, expected 0.235343
#include <seam/seam.hpp>

#include <cmath>
#include <numbers>

/// Adds half a step, which is implicit along one axis: the lines along it are tridiagonal systems,
/// (1 + 2 r) u - r u(-1) - r u(+1) = right side.
template <int Axis>
void add_half_step(seam::Steps<2>& step, seam::Field<double, 2>& u, seam::Field<double, 2>& upper,
                   seam::Field<double, 2>& right, double r) {
  constexpr int di = Axis == 0 ? 1 : 0, dj = 1 - di;
  step.each(
      "right side", writes(right), reads(u, seam::line(1 - Axis, -1, 1)),
      SEAM_KERNEL(auto b, auto u) { b = u() + r * (u(dj, di) - 2 * u() + u(-dj, -di)); });
  step.each(
          "eliminate", modifies(upper, seam::line(Axis, -1, 0)),
          modifies(right, seam::line(Axis, -1, 0)),
          SEAM_KERNEL(auto c, auto b) {
            double const pivot = 1 + 2 * r + r * c(-di, -dj);
            c = -r / pivot;
            b = (b() + r * b(-di, -dj)) / pivot;
          })
      .in_order(Axis);
  step.each(
          "substitute", modifies(u, seam::line(Axis, 0, 1)), reads(upper), reads(right),
          SEAM_KERNEL(auto u, auto c, auto b) { u = b() - c() * u(di, dj); })
      .in_order(Axis, seam::axis_order::backward);
}

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  constexpr int n = 255, num_steps = 8;
  constexpr double pi = std::numbers::pi, r = 300;
  seam::Grid<2> grid(runtime, {.cells = {n, n}});
  auto u = grid.field<double>("u"), upper = grid.field<double>("upper");
  auto right = grid.field<double>("right side");
  for (auto* const field : {&u, &upper, &right})
    field->boundary(
        seam::outside(0.0)); // a cold wall; the first and the last line have no neighbor

  // A wave that each step makes smaller by the same factor.
  auto const wave = [](double x) { return std::sin(pi * ((n * x - 0.5) + 1) / (n + 1)); };
  u.fill([=](auto x) { return wave(x[0]) * wave(x[1]); });
  double const k = 4 * r * std::pow(std::sin(0.5 * pi / (n + 1)), 2);
  double const factor = std::pow((1 - k) / (1 + k), 2);

  seam::Steps step(grid);
  add_half_step<0>(step, u, upper, right, r);
  add_half_step<1>(step, u, upper, right, r);
  step.run(num_steps);
  seam::print(runtime, "after {} steps a wave has the size {:.6f}, expected {:.6f}\n",
              step.num_steps(), maximum(u), std::pow(factor, num_steps));
}
