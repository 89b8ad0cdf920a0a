// seam-airfoil computes the flow around a wing section to its steady state: the program by which OP2
// and its relatives are compared. Writes q.vtkhdf.
//
// Sample runs:
//   make-airfoil-mesh.py 40 airfoil.msh && mpiexec -n 2 seam-airfoil airfoil.msh
//
// Expected: the root mean square of the last change, every 100 iterations. With 7,200 cells 4.25406e-04
// at 100, with 720,000 (size 400) 5.02186e-04 at 100 and 1.06011e-04 at 1000, as OP2 prints.
// Source: [MudaligeGilesReguly2012]; constants are floats there.
#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>

using state = seam::vec<4>; // density, momentum, energy
using normal = seam::vec<2>;
static constexpr double gam = 1.4F, gm1 = gam - 1.0F, cfl = 0.9F, eps = 0.05F, mach = 0.4F;

static double pressure(state const& q) {
  return gm1 * (q[3] - 0.5 / q[0] * (q[1] * q[1] + q[2] * q[2]));
}
static double through(state const& q, normal const& n) {
  return (q[1] * n[0] + q[2] * n[1]) / q[0];
}
static state push(double p, normal const& n) { return {{0, p * n[0], p * n[1], 0}}; }

static state flux(state const& a, state const& b, double mu, normal const& n) {
  double const pa = pressure(a), pb = pressure(b), va = through(a, n), vb = through(b, n);
  state const energy{{0, 0, 0, va * pa + vb * pb}};
  return 0.5 * (va * a + push(pa, n) + (vb * b + push(pb, n)) + energy) + mu * (a - b);
}

struct options {
  std::string mesh;
  std::int64_t iterations = 1000;
};

static void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes the flow around a wing section.");
  cli.add("mesh", wanted.mesh, "with groups wall and far field").required().named("MESH");
  cli.add("--iterations", wanted.iterations, "1000 by default");
}

static void run(seam::Runtime& runtime, options const& wanted) {
  using seam::cells, seam::sides;
  auto const mesh = seam::divided(runtime, seam::read_mesh(runtime, wanted.mesh));
  auto q = mesh.field<state>("q", cells), old = mesh.field<state>("old", cells),
       res = mesh.field<state>("res", cells);
  auto adt = mesh.field<double>("adt", cells);
  auto const n = seam::normals<2>(mesh);
  seam::Value<double> change("change");
  double const u = std::sqrt(gam) * mach;
  state const far{{1, u, 0, 1 / gm1 + 0.5 * u * u}};
  q.fill(far);
  seam::require_room(mesh, std::tie(q), "q.vtkhdf");

  seam::Steps step(mesh);
  step.each(
      "save", writes(old), reads(q), SEAM_KERNEL(auto old, auto q) { old = q(); });
  for (bool const is_last : {false, true}) {
    step.each(
        "time step", writes(adt), reads(q), reads(n, sides), SEAM_KERNEL(auto adt, auto q, auto n) {
          double const sound = std::sqrt(gam * pressure(q()) / q()[0]);
          double sum = 0;
          for (int k = 0; k < n.count(); ++k)
            sum += std::abs(through(q(), n(k))) + sound * length(n(k));
          adt = sum / cfl;
        });
    step.each(
        "flux", mesh.inner(sides), reads(q, cells), reads(adt, cells), reads(n),
        collects(res, cells), SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
          state const f = flux(q(0), q(1), 0.5 * (adt(0) + adt(1)) * eps, n());
          res(0) += f;
          res(1) -= f;
        });
    step.each(
        "wall", mesh.border("wall"), reads(q, cells), reads(n), adds(res, cells),
        SEAM_KERNEL(auto q, auto n, auto res) { res(0) += push(pressure(q(0)), n()); });
    step.each(
        "far field", mesh.border("far field"), reads(q, cells), reads(adt, cells), reads(n),
        adds(res, cells), SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
          res(0) += flux(q(0), far, adt(0) * eps, n());
        });
    step.each(
        "update", writes(q), reads(old), reads(res), reads(adt), sum(change),
        SEAM_KERNEL(auto q, auto old, auto res, auto adt, auto sum) {
          state const del = (1 / adt()) * res();
          q = old() - del;
          if (is_last)
            sum(dot(del, del));
        });
  }
  auto const num_cells = static_cast<double>(mesh.cells().num_global);
  while (step.num_steps() < wanted.iterations) {
    step.run(std::min<std::int64_t>(100, wanted.iterations - step.num_steps()));
    seam::print(runtime, "{:5}  {:.5e}\n", step.num_steps(), std::sqrt(change / num_cells));
  }
  seam::write(mesh, q, "q.vtkhdf");
  seam::print_written(runtime, {"q.vtkhdf"});
}

int main(int argc, char** argv) { return seam::run_program(argc, argv, add_options, run); }
