// seam-gray-scott lets two substances react and diffuse on a torus (Pearson 1993): patterns of
// spots and worms grow from a few squares in the middle.
//
// Sample runs:
//   mpiexec -n 2 seam-gray-scott --cells 256 --steps 8000 --picture v.png
//   mpiexec -n 4 seam-gray-scott --cells 128 --steps 3000 --every 1000 --picture v.png --fuse 8
//
// Prints the amounts of both, the same on any number of ranks, and how exactly they are balanced:
// diffusion conserves them, so that their sum changes by feed and removal alone.
#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace {

struct options {
  int cells = 256, fuse = 0;
  std::int64_t steps = 2000, every = 0;
  double feed = 0.037, kill = 0.06;
  std::string picture;
};

/// 1 in some squares in the middle of the unit square, else 0.
double seed_at(seam::position<2> const& x) {
  bool const here = std::abs(x[0] - 0.5) < 0.05 && std::abs(x[1] - 0.45) < 0.05;
  bool const there = std::abs(x[0] - 0.62) < 0.03 && std::abs(x[1] - 0.6) < 0.04;
  return here || there ? 1.0 : 0.0;
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::require_outputs(runtime, "", {{"--picture", wanted.picture, ".png"}});
  // 1. Declare the grid, the fields, and their first values.
  seam::Grid<2> const grid(runtime,
                           {.cells = {wanted.cells, wanted.cells}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill([](auto const& x) { return 1 - 0.5 * seed_at(x); });
  v.fill([](auto const& x) { return 0.25 * seed_at(x); });
  if (wanted.every > 0)
    seam::require_writable_series(runtime, wanted.picture, wanted.steps, wanted.every);

  // 2. Declare a step: both react with each other and diffuse.
  constexpr double of_u = 0.2097, of_v = 0.105; // diffusion [cells^2 / step]
  double const feed = wanted.feed, kill = wanted.kill;
  seam::Value<double> gained("gained");
  seam::Steps step(grid);
  step.each("balance", sum(gained), reads(u), reads(v),
            [=](auto total, auto a, auto b) { total(feed * (1 - a()) - (feed + kill) * b()); })
      .every(std::max<std::int64_t>(1, wanted.steps - 1));
  step.each(
      "react", updates(u, seam::star(1)), updates(v, seam::star(1)), KOKKOS_LAMBDA(auto a, auto b) {
        double const reaction = a() * b() * b();
        a = a() + of_u * (a(1, 0) + a(-1, 0) + a(0, 1) + a(0, -1) - 4 * a()) - reaction +
            feed * (1 - a());
        b = b() + of_v * (b(1, 0) + b(-1, 0) + b(0, 1) + b(0, -1) - 4 * b()) + reaction -
            (feed + kill) * b();
      });
  step.fuse(wanted.fuse);

  // 3. Compute. The last step is measured.
  seam::progress bar(grid.base(), "steps");
  std::int64_t const until_last = wanted.steps - 1;
  for (std::int64_t done = 0; done < until_last;) {
    std::int64_t const most = wanted.every > 0 ? wanted.every - done % wanted.every : 1000;
    std::int64_t const count = std::min(most, until_last - done);
    step.run(count);
    bar.advance(count);
    done += count;
    if (wanted.every > 0 && done % wanted.every == 0)
      seam::write_png(v, seam::numbered_path(wanted.picture, done));
  }
  double const before = sum(u) + sum(v);
  step.run();

  // 4. Print and write the outputs.
  double const cells = static_cast<double>(grid.domain().num_cells());
  seam::print(runtime, "u        {:.12f}\nv        {:.12f}\nbalance  {:.1e}\n", sum(u) / cells,
              sum(v) / cells, (sum(u) + sum(v) - before - gained) / cells);
  if (!wanted.picture.empty())
    seam::write_png(v, wanted.picture);
}

} // namespace

int main(int argc, char** argv) {
  options wanted;
  return seam::run_program(
      argc, argv,
      [&](CLI::App& cli) {
        cli.description("Lets two substances react and diffuse on a torus.");
        cli.add_option("--cells", wanted.cells, "cells on each axis")
            ->check(CLI::Range(3, 1 << 20));
        cli.add_option("--steps", wanted.steps, "steps of time")->check(CLI::Range(2, 1 << 30));
        cli.add_option("--feed", wanted.feed, "rate at which u is fed")
            ->check(CLI::Range(0.0, 0.2));
        cli.add_option("--kill", wanted.kill, "rate at which v is removed")
            ->check(CLI::Range(0.0, 0.2));
        cli.add_option("--fuse", wanted.fuse, "steps between messages; 0 or 1: none are fused")
            ->check(CLI::Range(0, 64));
        cli.add_option("--every", wanted.every, "steps between two pictures of a series")
            ->needs(cli.add_option("--picture", wanted.picture, "write a picture of v"));
      },
      [&](seam::Runtime& runtime) { run(runtime, wanted); });
}
