// The program that docs/outputs.md shows.
//
//     mpiexec -n 2 outputs
//     5 steps in u.vtkhdf, 5 files in w.vtkhdf.series
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {64, 64}});
  auto u = grid.field<double>("u"), w = grid.field<double>("w");

  seam::vtkhdf_series series(grid, std::tie(u), "u.vtkhdf", {.expected_steps = 5});
  seam::file_series files(runtime, "w.vtkhdf");
  seam::animation frames(runtime, "u.webp");
  int num_files = 0;
  for (int step = 0; step < 5; ++step) {
    double const time = 0.1 * step;
    u.fill([=](auto x) { return std::sin(x[0] - time); });
    w.fill([=](auto x) { return std::cos(x[1] - time); });

    series.append(time); // u.vtkhdf has one step more
    frames.add(u);       // u.webp has one frame more

    auto const path = seam::numbered_path("w.vtkhdf", step);
    seam::write(grid, w, path); // w-0000.vtkhdf, w-0001.vtkhdf, ...
    files.add(path, time);      // w.vtkhdf.series has one file more
    ++num_files;
  }
  series.finish();
  frames.finish();
  seam::print(runtime, "{} steps in u.vtkhdf, {} files in w.vtkhdf.series\n", series.num_steps(),
              num_files);
}
