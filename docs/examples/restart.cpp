// The program that docs/restart.md shows. Writes run.h5.
//
//     mpiexec -n 3 restart
//     200 steps, difference 0
#include <seam/seam.hpp>

#include <cmath>

struct diffusion {
  explicit diffusion(seam::Communicator const& over)
      : grid(over, {.cells = {60, 50}, .periodic = {true, true}}),
        u(grid.field<double>("u")),
        step(grid) {
    u.fill([](auto const& x) { return std::sin(9 * x[0] * x[1]); });
    step.each(
        "spread", updates(u, seam::star(1)), SEAM_KERNEL(auto c) {
          c = c() + 0.2 * (c(1, 0) + c(-1, 0) + c(0, 1) + c(0, -1) - 4 * c());
        });
  }
  seam::Grid<2> grid;
  seam::Field<double, 2> u;
  seam::Steps<2> step;
};

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  diffusion first(runtime);
  first.step.run(100);
  std::int64_t steps = first.step.num_steps();
  seam::save(runtime, "run.h5", first.u, seam::value("steps", steps));
  first.step.run(100);
  double const expected = norm(first.u);

  // Rank 0 continues by itself. Any other number of ranks could.
  auto const alone = runtime.world().split(runtime.rank(), 0);
  if (runtime.rank() == 0) {
    seam::Communicator const& over = *alone;
    diffusion second(over);
    seam::load(over, "run.h5", second.u, seam::value("steps", steps));
    second.step.continue_at(steps);
    second.step.run(100);
    seam::print(over, "{} steps, difference {}\n", second.step.num_steps(),
                norm(second.u) - expected);
  }
}
