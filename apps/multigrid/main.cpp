// seam-multigrid solves -laplace(u) = f on the unit square by V-cycles: on each grid red and black
// cells are relaxed in turn, the residual is carried to a grid of half as many cells, and the
// correction that is found there is carried back.
//
// Sample runs:
//   mpiexec -n 4 seam-multigrid --cells 256
//   mpiexec -n 4 seam-multigrid --cells 256 --every 1 --animation u.webp
//
// Prints the residual after each cycle, and by how much it has fallen; the same on any number of
// ranks.
#include "cycle.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

namespace multigrid {
namespace {

struct options {
  int cells = 256;
  std::int64_t cycles = 8;
  seam::output_options outputs;
  seam::checkpoint_options restart;
};

void run(seam::Runtime& runtime, options const& wanted) {
  wanted.outputs.check(runtime, wanted.cycles);
  seam::print(runtime, "{}\n", runtime.describe());

  // 1. Declare grids, each with half as many cells on an axis as the one before.
  std::vector<std::unique_ptr<level>> levels;
  levels.push_back(
      std::make_unique<level>(seam::Grid<2>(runtime, {.cells = {wanted.cells, wanted.cells}})));
  auto const can_halve = [](seam::Grid<2> const& grid) {
    return grid.cells()[0] % 2 == 0 && grid.cells()[0] / 2 >= std::max(4, grid.processes()[0]) &&
           grid.cells()[0] / 2 >= grid.processes()[1];
  };
  while (can_halve(levels.back()->grid))
    levels.push_back(std::make_unique<level>(levels.back()->grid.coarsened()));

  // 2. Set the source, and declare a V-cycle.
  level& finest = *levels.front();
  constexpr double pi = std::numbers::pi;
  finest.f.fill([](auto const& x) { return std::sin(pi * x[0]) * std::sin(3 * pi * x[1]); });
  seam::Steps cycle(finest.grid);
  add_cycle(cycle, levels, 0);
  add_residual(cycle, finest);

  // 3. Compute. A checkpoint is the solution, the last residual, and the slowest cycle.
  double before = maximum_norm(finest.f), slowest = 0;
  seam::checkpoints kept(finest.grid.base(), wanted.restart, finest.u,
                         seam::value("residual", before), seam::value("slowest", slowest));
  kept.require_end(wanted.cycles, "--cycles");
  seam::run_outputs seen(wanted.outputs, finest.u, wanted.cycles);
  seen.begin(kept.first_step());
  for (std::int64_t n = kept.first_step() + 1; n <= wanted.cycles; ++n) {
    cycle.run();
    double const residual = maximum_norm(finest.r);
    seam::print(runtime, "cycle {}  residual {:.6e}\n", n, residual);
    if (residual > 1e-9)
      slowest = std::max(slowest, residual / before);
    before = residual;
    seen.note("residual", n, residual);
    seen.look(n);
    kept.look(n);
  }

  // 4. Compare with the exact solution, and write the outputs.
  auto exact = finest.grid.field<double>("exact");
  exact.fill([](auto const& x) {
    return std::sin(pi * x[0]) * std::sin(3 * pi * x[1]) / (10 * pi * pi);
  });
  seam::print(runtime, "grids {}  slowest cycle {:.3f}  error {:.2e}\n", levels.size(), slowest,
              maximum_norm(finest.grid, [a = finest.u.view(), b = exact.view()](auto... at) {
                return a(at...) - b(at...);
              }));
  seen.finish(wanted.cycles);
  if (!wanted.outputs.picture.empty())
    seam::write_png(finest.u, wanted.outputs.picture, {.with_scale = true});
  wanted.outputs.print_names(runtime);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Solves Poisson's equation on the unit square by multigrid.");
  cli.add("--cells", wanted.cells, "cells on each axis").between(8, 1 << 20);
  cli.add("--cycles", wanted.cycles, "V-cycles").between(1, 100);
  wanted.outputs.add_options(cli, "the solution");
  wanted.restart.add_options(cli);
  cli.end_help(R"(Examples:
  mpiexec -n 4 seam-multigrid --cells 256 --picture u.png
  mpiexec -n 4 seam-multigrid --cells 256 --every 1 --animation u.webp)");
}

} // namespace
} // namespace multigrid

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, multigrid::add_options, multigrid::run);
}
