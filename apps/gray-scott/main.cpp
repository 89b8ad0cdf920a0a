// seam-gray-scott lets two substances react and diffuse on a torus (Pearson 1993): patterns of
// spots and worms grow from a few squares in the middle.
//
// Sample runs:
//   mpiexec -n 2 seam-gray-scott --cells 256 --steps 8000 --picture v.png
//   mpiexec -n 4 seam-gray-scott --cells 128 --steps 3000 --every 1000 --picture v.png --fusion 8
//
// Prints the amounts of both, the same on any number of ranks, and how exactly they are balanced:
// diffusion conserves them, so that their sum changes by feed and removal alone.
#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>

namespace {

struct options {
  seam::simulation run{.steps = 2000};
  double feed = 0.037, kill = 0.06;
};

/// 1 in some squares in the middle of the unit square, else 0.
double seed_at(seam::position<2> const& x) {
  bool const here = std::abs(x[0] - 0.5) < 0.05 && std::abs(x[1] - 0.45) < 0.05;
  bool const there = std::abs(x[0] - 0.62) < 0.03 && std::abs(x[1] - 0.6) < 0.04;
  return here || there ? 1.0 : 0.0;
}

void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Declare the grid, the fields, and their first values.
  seam::Grid<2> const grid(runtime, {.cells = {wanted.run.cells, wanted.run.cells},
                                     .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill([](auto const& x) { return 1 - 0.5 * seed_at(x); });
  v.fill([](auto const& x) { return 0.25 * seed_at(x); });
  wanted.run.begin(runtime);

  // 2. Declare a step: both react with each other and diffuse.
  constexpr double of_u = 0.2097, of_v = 0.105; // diffusion [cells^2 / step]
  double const feed = wanted.feed, kill = wanted.kill;
  seam::Value<double> gained("gained");
  seam::Steps step(grid);
  step.each(
          "balance", sum(gained), reads(u), reads(v),
          SEAM_KERNEL(auto total, auto a, auto b) {
            total(feed * (1 - a()) - (feed + kill) * b());
          })
      .every(std::max<std::int64_t>(1, wanted.run.steps - 1));
  step.each(
      "react", updates(u, seam::star(1)), updates(v, seam::star(1)), SEAM_KERNEL(auto a, auto b) {
        double const reaction = a() * b() * b();
        a = a() + of_u * (a(1, 0) + a(-1, 0) + a(0, 1) + a(0, -1) - 4 * a()) - reaction +
            feed * (1 - a());
        b = b() + of_v * (b(1, 0) + b(-1, 0) + b(0, 1) + b(0, -1) - 4 * b()) + reaction -
            (feed + kill) * b();
      });

  // 3. Compute. The last step is measured.
  seam::checkpoints kept(grid.base(), wanted.run.restart, u, v);
  auto seen = wanted.run.outputs_of(v);
  wanted.run.run_to(wanted.run.steps - 1, step, seen, kept);
  double const before = sum(u) + sum(v);
  wanted.run.run(step, seen, kept);
  seen.finish(step.num_steps());

  // 4. Print and write the outputs.
  double const cells = static_cast<double>(grid.domain().num_cells());
  seam::print(runtime, "u        {:.12f}\nv        {:.12f}\nbalance  {:.1e}\n", sum(u) / cells,
              sum(v) / cells, (sum(u) + sum(v) - before - gained) / cells);
  wanted.run.finish(v);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Lets two substances react and diffuse on a torus.");
  wanted.run.add_options(cli, "v");
  cli.add("--feed", wanted.feed, "rate at which u is fed").between(0.0, 0.2);
  cli.add("--kill", wanted.kill, "rate at which v is removed").between(0.0, 0.2);
  cli.end_help(R"(Examples:
  mpiexec -n 2 seam-gray-scott --cells 256 --steps 8000 --picture v.png
  mpiexec -n 4 seam-gray-scott --cells 128 --steps 3000 --every 1000 --picture v.png --fusion 8)");
}

} // namespace

int main(int argc, char** argv) { return seam::run_program(argc, argv, add_options, run); }
