// The program of docs/tutorial.md: heat flows through a plate around a disk that conducts badly.
//
//     mpiexec -n 3 tutorial
//     3000 steps, mean 46.0226, 528 warm cells
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);

  // 1. The grid: a plate of 1 m along axis 0 and 2 m along axis 1.
  seam::Grid<2> grid(runtime, {.cells = {24, 48}, .upper = {1.0, 2.0}});
  double const h = grid.spacing()[0];

  // 2. The fields, and their first values.
  auto u = grid.field<double>("temperature"), k = grid.field<double>("conductivity");
  k.fill([](auto x) { return std::hypot(x[0] - 0.4, x[1] - 1.0) < 0.3 ? 0.05 : 1.0; });

  // 3. What holds on the borders.
  u.boundary(seam::neumann(0.0));
  u.boundary(1, seam::side::low, seam::dirichlet(0.0));
  u.boundary(1, seam::side::high, seam::dirichlet(100.0));
  k.boundary(seam::neumann(0.0));

  // 4. A step in time: a kernel, with what it reads and writes.
  seam::Value<double> fastest("fastest", 1e9);
  double const dt = 0.2 * h * h;
  seam::Steps step(grid);
  step.each(
      "conduct", updates(u, seam::star(1)), reads(k, seam::star(1)), maximum(fastest),
      SEAM_KERNEL(auto u, auto k, auto rate) {
        auto const inflow = [&](int i, int j) {
          return 0.5 * (k(i, j) + k()) * (u(i, j) - u()) / (h * h);
        };
        double const change = inflow(1, 0) + inflow(-1, 0) + inflow(0, 1) + inflow(0, -1);
        u = u() + dt * change;
        rate(std::abs(change));
      });

  // 5. Steps until the temperature changes slowly, with a state for ParaView now and then.
  seam::vtkhdf_series series(grid, std::tie(u, k), "plate.vtkhdf");
  series.append(0);
  while (fastest > 30) { // [K/s]
    step.run(500);
    series.append(dt * step.num_steps());
  }
  series.finish();

  // 6. Results.
  seam::write_png(u, "plate.png");
  double const mean = seam::sum(u) / grid.domain().num_cells();
  auto const warm = seam::sum(u, [](double value) { return value > 50; });
  seam::print(runtime, "{} steps, mean {:.4f}, {} warm cells\n", step.num_steps(), mean, warm);
}
