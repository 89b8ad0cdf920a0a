// Makes one mistake: app <which>
//
//     stale     reads a ghost that no halo has filled, in a loop by hand
//     far       reads beyond the ghosts in a loop by hand
//     iterate   reads beyond the neighborhood in an Iterate
//     steps     makes a value that is not finite
//     none      none: reads by a sweep, and by hand after a halo
#include <seam/grid.hpp>
#include <seam/runtime.hpp>
#include <seam/steps.hpp>

#include <cstdio>
#include <string_view>
#include <utility>

int main(int argc, char** argv) {
  std::string_view const mistake = argc > 1 ? argv[1] : "stale";
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {24, 18}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill([](auto x) { return x[0]; });

  double sum = 0;
  if (mistake == "none") {
    seam::Iterate loop(grid, u, next);
    loop.sweep([](auto v, int i, int j) { return v(i, j - 1); });
    seam::make_halo(u).run();
  }
  auto const cells = std::as_const(u).view();
  if (mistake == "none")
    sum += cells(0, -1) + cells(-1, 0);
  if (mistake == "stale")
    sum += cells(-1, 0);
  if (mistake == "far")
    sum += cells(0, -2);
  if (mistake == "iterate") {
    seam::Iterate loop(grid, u, next);
    loop.sweep([](auto v, int i, int j) { return v(i, j - 3); });
  }
  if (mistake == "steps") {
    seam::Steps step(grid);
    step.each("divide", updates(u), [](auto v) { v = 1 / (v() - v()); });
    step.run();
  }
  std::printf("no mistake was found, %g\n", sum);
}
