// seam-wave computes acoustic waves in a square or cube by differences of eighth order in space and
// second order in time, with a layer at the borders that absorbs waves; or a plane wave on a torus,
// which it compares with the exact solution of the difference scheme.
//
// Sample runs:
//   mpiexec -n 2 seam-wave --cells 256 --steps 300 --picture p.png
//   mpiexec -n 4 seam-wave --plane --cells 48 --steps 200 --fusion 4
//
// Expected of the second, on any number of ranks: error below 1e-11
#include <seam/seam.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace {

struct options {
  seam::simulation run{.fewest_cells = 9, .steps = 300};
  bool plane = false;
};

constexpr std::array<double, 5> weights{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
constexpr double courant = 0.5; ///< speed * time step / spacing

/// The second difference of eighth order along both axes.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION double laplacian(View const& p) {
  static constexpr auto weight = weights;
  double sum = 2 * weight[0] * p();
  for (int n = 1; n <= 4; ++n)
    sum += weight[n] * (p(n, 0) + p(-n, 0) + p(0, n) + p(0, -n));
  return sum;
}

/// The angle by which a plane wave turns in a step: 2 - 2 cos(w) = courant^2 times the symbol of
/// the differences.
double angle_of(double kx, double ky) {
  double symbol = -4 * weights[0] / 2;
  for (int n = 1; n <= 4; ++n)
    symbol -= 2 * weights[n] * (std::cos(n * kx) + std::cos(n * ky));
  return 2 * std::asin(0.5 * courant * std::sqrt(symbol));
}

void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Declare the grid and the pressure, at three times: the new one, the present one, the last.
  bool const plane = wanted.plane;
  double const n = wanted.run.cells, two_pi = 2 * std::numbers::pi;
  seam::Grid<2> const grid(runtime, {.cells = {wanted.run.cells, wanted.run.cells},
                                     .periodic = {plane, plane},
                                     .upper = {n, n}});
  auto p = grid.field<double>("p", {.levels = 2}), damping = grid.field<double>("damping");
  p.boundary(seam::outside(0.0));
  wanted.run.begin(runtime);

  // 2. First values: a plane wave, or a pulse, and a layer in which waves fade.
  double const kx = 3 * two_pi / n, ky = 2 * two_pi / n, w = angle_of(kx, ky);
  auto const wave = [=](double time) {
    return [=](seam::position<2> const& x) { return std::cos(kx * x[0] + ky * x[1] - w * time); };
  };
  auto const pulse = [=](seam::position<2> const& x) {
    double const r = std::hypot(x[0] - 0.4 * n, x[1] - 0.55 * n) / 6;
    return std::exp(-r * r);
  };
  double const layer = n / 8;
  for (int level : {0, -1}) {
    seam::for_each_cell(p.owned(), [&, cells = p.view(0, level)](seam::cell_index<2> const& at) {
      auto const first = grid.owned().lo;
      auto const x = grid.geometry().centre({at[0] + first[0], at[1] + first[1]});
      cells[at] = plane ? wave(level)(x) : pulse(x);
    });
  }
  damping.fill([=](seam::position<2> const& x) {
    double depth = 0;
    for (double const at : x)
      depth = std::max({depth, layer - at, layer - (n - at)});
    return plane ? 0.0 : 0.25 * depth * depth / (layer * layer);
  });

  // 3. Declare a step, and compute.
  seam::Steps step(grid);
  step.each(
      "advance", updates(p, seam::star(4)), reads(p[-1]), reads(damping),
      SEAM_KERNEL(auto now, auto before, auto fades) {
        double const d = fades();
        now = (2 * now() - (1 - d) * before() + courant * courant * laplacian(now)) / (1 + d);
      });
  seam::checkpoints kept(grid.base(), wanted.run.restart, p);
  auto seen = wanted.run.outputs_of(p);
  wanted.run.run(step, seen, kept);
  seen.finish(step.num_steps());

  // 4. Print and write the outputs.
  if (plane) {
    auto exact = grid.field<double>("exact");
    exact.fill(wave(static_cast<double>(wanted.run.steps)));
    seam::print(runtime, "error  {:.1e}\n",
                maximum_norm(grid, [a = p.view(), b = exact.view()](auto... at) {
                  return a(at...) - b(at...);
                }));
  } else {
    seam::print(runtime, "largest pressure  {:.12f}\n", maximum_norm(p));
  }
  wanted.run.finish(p);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes acoustic waves by differences of eighth order.");
  wanted.run.add_options(cli, "the pressure");
  cli.add_flag("--plane", wanted.plane, "a plane wave on a torus, and its error");
  cli.end_help(R"(Examples:
  mpiexec -n 2 seam-wave --cells 256 --steps 300 --picture pressure.png
  mpiexec -n 4 seam-wave --plane --cells 48 --steps 200 --fusion 4)");
}

} // namespace

int main(int argc, char** argv) { return seam::run_program(argc, argv, add_options, run); }
