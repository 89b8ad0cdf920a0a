// The program that docs/steps.md shows: from heat to shallow water.
//
//     mpiexec -n 2 steps
//     heat kept 1.000000000, water kept 1.000000000 in 56 steps, deepest 1.0081
#include <seam/seam.hpp>

#include <cmath>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {64, 64}});

  // Heat: one kernel that reads neighbors. Nothing leaves through the borders.
  auto heat = grid.field<double>("heat");
  heat.fill([](auto x) { return 1 + std::sin(6 * x[0]) * x[1]; });
  heat.boundary(seam::neumann(0.0));
  seam::Steps warm(grid);
  warm.each(
      "heat", updates(heat, seam::star(1)),
      SEAM_KERNEL(auto u) { u = u() + 0.1 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()); });
  double const first_heat = sum(heat);
  warm.run(100);

  // Water: depths in cells, velocities on faces, a time step from the fastest wave.
  auto depth = grid.field<double>("depth");
  auto u = grid.field<double>("u", {.on = seam::on_faces(1)});
  auto v = grid.field<double>("v", {.on = seam::on_faces(0)});
  depth.fill([](auto x) { return 1 + 0.1 * std::exp(-50 * std::hypot(x[0] - 0.4, x[1] - 0.6)); });
  depth.boundary(seam::neumann(0.0));

  double const dx = grid.spacing()[0], gravity = 9.81;
  seam::Value<double> fastest("fastest"), dt("dt"), time("time", 0.0);
  seam::Steps flow(grid);
  flow.each(
      "limit", maximum(fastest), reads(depth),
      SEAM_KERNEL(auto most, auto h) { most(2 + std::sqrt(gravity * h())); });
  flow.once(sets(dt), sets(time), with(fastest), [=](double& step, double& now, double speed) {
    step = 0.3 * dx / speed;
    now += step;
  });
  flow.each(
          "along x", modifies(u), reads(depth, seam::line(1, -1, 0)), with(dt),
          SEAM_KERNEL(auto u, auto h, double step) {
            u = u() - step / dx * gravity * (h(0, 0) - h(0, -1));
          })
      .where(seam::box<2>{{0, 1}, {64, 64}}); // walls keep their velocity, 0
  flow.each(
          "along y", modifies(v), reads(depth, seam::line(0, -1, 0)), with(dt),
          SEAM_KERNEL(auto v, auto h, double step) {
            v = v() - step / dx * gravity * (h(0, 0) - h(-1, 0));
          })
      .where(seam::box<2>{{1, 0}, {64, 64}});
  flow.each(
      "depth", updates(depth, seam::star(1)), reads(u, seam::line(1, 0, 1)),
      reads(v, seam::line(0, 0, 1)), with(dt), SEAM_KERNEL(auto h, auto u, auto v, double step) {
        h = h() - step / (2 * dx) *
                      (u(0, 1) * (h(0, 0) + h(0, 1)) - u(0, 0) * (h(0, -1) + h(0, 0)) +
                       v(1, 0) * (h(0, 0) + h(1, 0)) - v(0, 0) * (h(-1, 0) + h(0, 0)));
      });
  double const volume = sum(depth);
  while (time < 0.05)
    flow.run(4);

  seam::print(runtime, "heat kept {:.9f}, water kept {:.9f} in {} steps, deepest {:.4f}\n",
              sum(heat) / first_heat, sum(depth) / volume, flow.num_steps(), maximum(depth));
}
