// seam-euler computes the flow of a gas in the plane by finite volumes: limited slopes, HLLC's
// fluxes, two stages of Runge and Kutta (both of second order), and a time step that follows the
// fastest wave.
//
// Sample runs:
//   mpiexec -n 2 seam-euler --cells 256 --time 0.25 --picture density.png    an explosion
//   mpiexec -n 4 seam-euler --sod --cells 200                                 a shock tube
//
// Prints the change of mass, zero but for rounding until waves leave the domain; of the tube the
// mean difference from the exact density, which halves with the width of cells. The same on any
// number of ranks.
#include "scheme.hpp"
#include "sod.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>

namespace euler {
namespace {

struct options {
  seam::simulation run{.fewest_cells = 8, .time = 0.2};
  bool sod = false;
};

gas first_state(seam::position<2> const& x, bool sod) {
  bool const inside = sod ? x[1] < 0.5 : std::hypot(x[0] - 0.5, x[1] - 0.5) < 0.2;
  return inside ? sod_low : sod_high;
}

void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Declare the grid, a tube or a square, and the gas.
  std::int64_t const n = wanted.run.cells, broad = wanted.sod ? 4 : n;
  double const dx = 1.0 / wanted.run.cells;
  seam::Grid<2> const grid(runtime,
                           {.cells = {broad, n}, .upper = {dx * static_cast<double>(broad), 1.0}});
  fields all(grid);
  wanted.run.begin(runtime);
  for (int c = 0; c < num_components; ++c)
    all.q.fill(c, [&, c](seam::position<2> const& x) {
      return first_state(x, wanted.sod).amounts()[c];
    });
  auto const mass = [&] {
    return sum(grid, [q = all.q.view(0)](int i, int j) { return q(i, j); });
  };

  // 2. Declare a step, as long as waves allow.
  seam::Value<double> fastest("fastest"), dt("dt"), time("time", 0.0), looked("looked", 0.0);
  seam::Steps step(grid);
  step.each(
      "limit", maximum(fastest), reads(all.q), SEAM_KERNEL(auto most, auto q) {
        gas const here = gas_at(q, 0, 0);
        most(std::abs(here.velocity[0]) + std::abs(here.velocity[1]) + 2 * here.speed_of_sound());
      });
  step.once(sets(dt), sets(time), with(fastest),
            [dx, end = wanted.run.time](double& h, double& t, double speed) {
              h = std::min(0.8 * dx / speed, end - t);
              t += h;
            });
  add_stages(step, all, dt, dx);

  // 3. Compute.
  double const first_mass = mass();
  seam::checkpoints kept(grid.base(), wanted.run.restart, all.q, time, looked);
  auto seen = wanted.run.outputs_of(all.q);
  wanted.run.run_until(step, seen, time, looked, kept);
  seen.finish(step.num_steps());

  // 4. Print and write the outputs.
  double const now = time;
  seam::print(runtime, "steps        {}\ntime         {:.6f}\nmass change  {:.1e}\n",
              step.num_steps(), now, mass() / first_mass - 1);
  if (wanted.sod) {
    double const error = sum(grid, [&, tube = sod_tube(), q = all.q.view(0)](int i, int j) {
      double const x = dx * (static_cast<double>(grid.owned().lo[1] + j) + 0.5);
      return std::abs(q(i, j) - tube.density((x - 0.5) / now));
    });
    double const mean = error * dx / static_cast<double>(broad);
    seam::print(runtime, "L1 error  {:.2e}, {:.3f} of a cell's width\n", mean, mean / dx);
  }
  wanted.run.finish(all.q);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes the flow of a gas in the plane.");
  wanted.run.add_options(cli, "the density");
  cli.add_flag("--sod", wanted.sod, "Sod's tube, and its error, in place of an explosion");
  cli.end_help(R"(Examples:
  mpiexec -n 2 seam-euler --cells 256 --time 0.25 --picture density.png
  mpiexec -n 4 seam-euler --sod --cells 200)");
}

} // namespace
} // namespace euler

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, euler::add_options, euler::run);
}
