// seam-shallow-water lets a hill of water flow apart in a basin with walls: depths at the centers
// of cells, velocities on their faces (a C grid), and a time step that follows the fastest wave.
//
// Sample runs:
//   mpiexec -n 2 seam-shallow-water --cells 128 --time 0.2 --picture h.png
//   mpiexec -n 4 seam-shallow-water --cells 64 --time 0.1
//
// Prints the change of the volume, which is zero but for rounding, and of the energy, which is
// bounded; the same on any number of ranks.
#include <seam/seam.hpp>

#include <cmath>

namespace {

constexpr double gravity = 9.81; // [m / s^2]

void run(seam::Runtime& runtime, seam::simulation const& wanted) {
  // 1. Declare the basin: 1 m wide, without flow through its walls.
  seam::Grid<2> const grid(runtime, {.cells = {wanted.cells, wanted.cells}});
  auto h = grid.field<double>("h");
  auto u = grid.field<double>("u", {.on = seam::on_faces(1)});
  auto v = grid.field<double>("v", {.on = seam::on_faces(0)});
  h.fill([](seam::position<2> const& x) {
    double const r = std::hypot(x[0] - 0.4, x[1] - 0.3) / 0.1;
    return 1.0 + 0.1 * std::exp(-r * r);
  });
  h.boundary(seam::neumann(0.0));
  wanted.begin(runtime);

  // 2. Declare a step. The wall's faces are not computed: they keep their velocity, 0.
  double const dx = grid.spacing()[0];
  seam::Value<double> fastest("fastest"), dt("dt"), time("time", 0.0), looked("looked", 0.0),
      energy("energy");
  auto const n = static_cast<std::int64_t>(wanted.cells);
  seam::Steps step(grid);
  step.each(
      "limit", maximum(fastest), reads(h), reads(u, seam::line(1, 0, 1)),
      reads(v, seam::line(0, 0, 1)), SEAM_KERNEL(auto most, auto depth, auto x, auto y) {
        double const flow = std::hypot(x(0, 0) + x(0, 1), y(0, 0) + y(1, 0)) / 2;
        most(flow + std::sqrt(gravity * depth()));
      });
  step.once(sets(dt), sets(time), with(fastest), [dx](double& h_, double& t, double speed) {
    h_ = 0.3 * dx / speed;
    t += h_;
  });
  step.each(
          "flow along x", modifies(u), reads(h, seam::line(1, -1, 0)), with(dt),
          SEAM_KERNEL(auto x, auto depth, double step_) {
            x = x() - step_ / dx * gravity * (depth(0, 0) - depth(0, -1));
          })
      .where(seam::box<2>{{0, 1}, {n, n}});
  step.each(
          "flow along y", modifies(v), reads(h, seam::line(0, -1, 0)), with(dt),
          SEAM_KERNEL(auto y, auto depth, double step_) {
            y = y() - step_ / dx * gravity * (depth(0, 0) - depth(-1, 0));
          })
      .where(seam::box<2>{{1, 0}, {n, n}});
  step.each(
      "depth", updates(h, seam::star(1)), reads(u, seam::line(1, 0, 1)),
      reads(v, seam::line(0, 0, 1)), with(dt),
      SEAM_KERNEL(auto depth, auto x, auto y, double step_) {
        double const east = x(0, 1) * (depth(0, 0) + depth(0, 1));
        double const west = x(0, 0) * (depth(0, -1) + depth(0, 0));
        double const up = y(1, 0) * (depth(0, 0) + depth(1, 0));
        double const down = y(0, 0) * (depth(-1, 0) + depth(0, 0));
        depth = depth() - step_ / (2 * dx) * (east - west + up - down);
      });
  seam::Steps measure(grid);
  measure.each(
      "energy", sum(energy), reads(h), reads(u, seam::line(1, 0, 1)), reads(v, seam::line(0, 0, 1)),
      SEAM_KERNEL(auto total, auto depth, auto x, auto y) {
        double const kinetic =
            x(0, 0) * x(0, 0) + x(0, 1) * x(0, 1) + y(0, 0) * y(0, 0) + y(1, 0) * y(1, 0);
        total(0.25 * depth() * kinetic + 0.5 * gravity * (depth() - 1) * (depth() - 1));
      });

  // 3. Compute.
  double const volume = sum(h);
  measure.run();
  double const first_energy = energy;
  seam::checkpoints kept(grid.base(), wanted.restart, h, u, v, time, looked);
  auto seen = wanted.outputs_of(h);
  wanted.run_until(step, seen, time, looked, kept);
  seen.finish(step.num_steps());
  measure.run();

  // 4. Print and write the outputs.
  double const now = time;
  seam::print(
      runtime,
      "steps          {}\ntime           {:.6f}\nvolume change  {:.1e}\nenergy ratio   {:.6f}\n",
      step.num_steps(), now, sum(h) / volume - 1, energy / first_energy);
  wanted.finish(h);
}

} // namespace

int main(int argc, char** argv) {
  seam::simulation wanted{.cells = 128, .fewest_cells = 4, .time = 0.2};
  return seam::run_program(
      argc, argv,
      [&](seam::option_list cli) {
        cli.describe("Lets a hill of water flow apart in a basin.");
        wanted.add_options(cli, "the depth");
        cli.end_help(R"(Examples:
  mpiexec -n 2 seam-shallow-water --cells 128 --time 0.2 --picture depth.png
  mpiexec -n 4 seam-shallow-water --cells 64 --time 0.1)");
      },
      [&](seam::Runtime& runtime) { run(runtime, wanted); });
}
