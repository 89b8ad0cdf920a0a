// seam-cavity computes the flow in a square cavity under a moving lid by the lattice Boltzmann
// method: in the plane with 9 directions (D2Q9), or with 19 (D3Q19) between two planes that are one.
//
// Sample runs:
//   mpiexec -n 2 seam-cavity --cells 128 --reynolds 400 --picture speed.png
//   mpiexec -n 4 seam-cavity --cells 32 --deep 4 --time 25
//
// The time is in units of what the lid needs to cross the cavity, in which the flow becomes steady.
// Prints how much the velocities on the centerlines differ from those of Ghia, Ghia and Shin (1982),
// in units of the lid's velocity: at 128^2 cells by less than 0.02. The same on any number of ranks.
#include "ghia.hpp"
#include "lattice.hpp"

#include <seam/simulation.hpp>

#include <cmath>

namespace cavity {
namespace {

struct options {
  seam::simulation run{.cells = 128, .fewest_cells = 8, .time = 40};
  int deep = 0, reynolds = 100;
};

constexpr double speed = 0.1; ///< of the lid [cells / step]

template <int D>
void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Declare the cavity, and populations of a fluid at rest.
  seam::grid_options<D> shape;
  shape.cells.fill(wanted.run.cells);
  if constexpr (D == 3) {
    shape.cells[0] = wanted.deep;
    shape.periodic[0] = true;
  }
  seam::Grid<D> const grid(runtime, shape);
  auto f = grid.template field<double>("f", {.components = lattice<D>::num_directions});
  for (int q = 0; q < lattice<D>::num_directions; ++q)
    f.fill(q, model<D>.weights[q]);
  f.boundary(seam::outside(0.0)); // is not read: walls throw populations back
  auto u = grid.template field<double>("velocity", {.components = 2});
  wanted.run.begin(runtime);

  // 2. Declare a step.
  lid<D> const wall{grid.cells(), speed};
  double const viscosity = speed * wanted.run.cells / wanted.reynolds;
  seam::Steps step(grid), measure(grid);
  add_step<D>(step, f, wall, 1 / (3 * viscosity + 0.5));
  add_velocity<D>(measure, f, u, wall);

  // 3. Compute. The flow becomes steady.
  seam::checkpoints kept(grid.base(), wanted.run.restart, f);
  auto seen = wanted.run.outputs_of(f);
  wanted.run.run_to(static_cast<std::int64_t>(wanted.run.time * wanted.run.cells / speed), step,
                    seen, kept);
  seen.finish(step.num_steps());
  measure.run();

  // 4. Print and write the outputs.
  double const cells = static_cast<double>(grid.domain().num_cells());
  double mass = 0;
  for (int q = 0; q < lattice<D>::num_directions; ++q)
    mass += seam::sum(grid, [values = f.view(q)](auto const& at) { return values[at]; });
  auto const [along_x, along_y] = difference_from_ghia<D>(u, wanted.reynolds);
  seam::print(runtime, "mass change  {:.1e}\ndifference from Ghia et al.  u {:.4f}  v {:.4f}\n",
              mass / cells - 1, along_x, along_y);
  auto shown = grid.template field<double>("speed");
  seam::for_each_cell(u.owned(), [&, x = u.view(0), y = u.view(1), out = shown.view()](
                                     auto const& at) { out[at] = std::hypot(x[at], y[at]); });
  wanted.run.finish(shown);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes the flow under a moving lid by the lattice Boltzmann method.");
  wanted.run.add_options(cli, "the velocity");
  cli.add("--deep", wanted.deep, "cells along the third axis; 0: two axes").between(0, 1 << 14);
  cli.add("--reynolds", wanted.reynolds, "100 or 400").one_of({"100", "400"});
  cli.end_help(R"(Examples:
  mpiexec -n 2 seam-cavity --cells 128 --reynolds 400 --picture speed.png
  mpiexec -n 4 seam-cavity --cells 32 --deep 4 --time 25)");
}

void run_on_axes(seam::Runtime& runtime, options const& wanted) {
  if (wanted.deep > 0)
    run<3>(runtime, wanted);
  else
    run<2>(runtime, wanted);
}

} // namespace
} // namespace cavity

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, cavity::add_options, cavity::run_on_axes);
}
