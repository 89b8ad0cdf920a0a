// seam-multigrid solves -laplace(u) = f on the unit square by V-cycles: on each grid red and black
// cells are relaxed in turn, the residual is carried to a grid of half as many cells, and the
// correction that is found there is carried back.
//
// Sample run: mpiexec -n 4 seam-multigrid --cells 256
//
// Prints the residual after each cycle, and by how much it has fallen; the same on any number of
// ranks.
#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace {

struct options {
  int cells = 256, cycles = 8;
  std::string picture;
};

/// The fields of one grid.
struct level {
  explicit level(seam::Grid<2> of)
      : grid(std::move(of)),
        u(grid.field<double>("u")),
        f(grid.field<double>("f")),
        r(grid.field<double>("r")) {
    u.boundary(seam::dirichlet(0.0));
  }
  seam::Grid<2> grid;
  seam::Field<double, 2> u, f, r;
};

/// Relaxes u on one grid: first the cells of one color, then those of the other.
void add_sweeps(seam::Steps<2>& cycle, level& on, int count) {
  double const h2 = on.grid.spacing()[0] * on.grid.spacing()[0];
  for (int n = 0; n < count; ++n)
    cycle
        .each(
            "relax", modifies(on.u, seam::star(1)), reads(on.f),
            KOKKOS_LAMBDA(auto u, auto f) {
              u = 0.25 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) + h2 * f());
            })
        .in_colors(2);
}

void add_residual(seam::Steps<2>& cycle, level& on) {
  double const h2 = on.grid.spacing()[0] * on.grid.spacing()[0];
  cycle.each(
      "residual", writes(on.r), reads(on.u, seam::star(1)), reads(on.f),
      KOKKOS_LAMBDA(auto r, auto u, auto f) {
        r = f() + (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()) / h2;
      });
}

/// Adds the V-cycle of all grids from number `k` on to a program.
void add_cycle(seam::Steps<2>& cycle, std::vector<std::unique_ptr<level>>& levels, std::size_t k) {
  level& fine = *levels[k];
  if (k + 1 == levels.size())
    return add_sweeps(cycle, fine, 30);
  level& coarse = *levels[k + 1];
  add_sweeps(cycle, fine, 3);
  add_residual(cycle, fine);
  cycle.each(
      "restrict", writes(coarse.f), writes(coarse.u),
      reads_finer(fine.r, seam::at({{0, 0}, {0, 1}, {1, 0}, {1, 1}})),
      KOKKOS_LAMBDA(auto f, auto u, auto r) {
        f = 0.25 * (r(0, 0) + r(0, 1) + r(1, 0) + r(1, 1));
        u = 0.0;
      });
  add_cycle(cycle, levels, k + 1);
  cycle.each("prolong", modifies(fine.u), reads_coarser(coarse.u, seam::moore(1) + seam::stencil()),
             [](auto u, auto e, seam::place<2> const& here) {
               int const i = here.index[0] % 2 == 0 ? -1 : 1, j = here.index[1] % 2 == 0 ? -1 : 1;
               u = u() + (9 * e(0, 0) + 3 * e(i, 0) + 3 * e(0, j) + e(i, j)) / 16;
             });
  add_sweeps(cycle, fine, 3);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::require_outputs(runtime, "", {{"--picture", wanted.picture, ".png"}});
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

  // 3. Compute.
  double before = maximum_norm(finest.f), slowest = 0;
  for (int n = 0; n < wanted.cycles; ++n) {
    cycle.run();
    double const residual = maximum_norm(finest.r);
    seam::print(runtime, "cycle {}  residual {:.6e}\n", n + 1, residual);
    if (residual > 1e-9)
      slowest = std::max(slowest, residual / before);
    before = residual;
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
  if (!wanted.picture.empty())
    seam::write_png(finest.u, wanted.picture);
}

} // namespace

int main(int argc, char** argv) {
  options wanted;
  return seam::run_program(
      argc, argv,
      [&](CLI::App& cli) {
        cli.description("Solves Poisson's equation on the unit square by multigrid.");
        cli.add_option("--cells", wanted.cells, "cells on each axis")
            ->check(CLI::Range(8, 1 << 20));
        cli.add_option("--cycles", wanted.cycles, "V-cycles")->check(CLI::Range(1, 100));
        cli.add_option("--picture", wanted.picture, "write a picture of the solution");
      },
      [&](seam::Runtime& runtime) { run(runtime, wanted); });
}
