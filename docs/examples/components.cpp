// The program that docs/several-components.md shows: four populations that walk and mix.
//
//     mpiexec -n 3 components
//     4096.000000 before, 4096.000000 after 100 steps
#include <seam/seam.hpp>

#include <vector>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {64, 64}, .periodic = {true, true}});

  // Four components; each is read only at the offset from which it comes.
  auto f = grid.field<double>("f", {.components = 4});
  for (int c = 0; c < 4; ++c)
    f.fill(c, [](auto x) { return x[0] < 0.5 ? 0.5 : 0.0; });
  std::vector const sources{seam::at({{-1, 0}}), seam::at({{1, 0}}), seam::at({{0, -1}}),
                            seam::at({{0, 1}})};
  auto density = grid.field<double>("density");

  seam::Steps step(grid);
  step.each(
      "walk", updates(f, sources), SEAM_KERNEL(auto f) {
        auto const a = f[0](-1, 0), b = f[1](1, 0), c = f[2](0, -1), d = f[3](0, 1);
        auto const mean = 0.25 * (a + b + c + d);
        f[0] = 0.5 * (a + mean);
        f[1] = 0.5 * (b + mean);
        f[2] = 0.5 * (c + mean);
        f[3] = 0.5 * (d + mean);
      });
  step.each(
      "add up", writes(density), reads(f),
      SEAM_KERNEL(auto n, auto f) { n = f[0]() + f[1]() + f[2]() + f[3](); });

  step.run(1);
  double const before = seam::sum(density);
  step.run(99);
  seam::print(runtime, "{:.6f} before, {:.6f} after {} steps\n", before, seam::sum(density),
              step.num_steps());
}
