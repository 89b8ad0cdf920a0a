// Airfoil, OP2's benchmark, on the core of steps: the residuals that OP2 prints, and the same bits on any
// ranks, threads and tiles. Its kernels are those of [MudaligeGilesReguly2012]; OP2's constants are floats.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;
using state = vec<4>; // density, momentum, energy
using normal = vec<2>;

double const gam = 1.4F, gm1 = static_cast<double>(1.4F) - 1.0F, cfl = 0.9F, eps = 0.05F,
             mach = 0.4F;

double pressure(state const& q) { return gm1 * (q[3] - 0.5 / q[0] * (q[1] * q[1] + q[2] * q[2])); }
double through(state const& q, normal const& n) { return (q[1] * n[0] + q[2] * n[1]) / q[0]; }
state push(double p, normal const& n) { return {{0, p * n[0], p * n[1], 0}}; }

state flux(state const& a, state const& b, double mu, normal const& n) {
  double const pa = pressure(a), pb = pressure(b), va = through(a, n), vb = through(b, n);
  state const energy{{0, 0, 0, va * pa + vb * pb}};
  return 0.5 * (va * a + push(pa, n) + (vb * b + push(pb, n)) + energy) + mu * (a - b);
}

state far_field() {
  double const u = std::sqrt(gam) * mach;
  return {{1, u, 0, 1 / gm1 + 0.5 * u * u}};
}

/// Airfoil's fields and kernels.
class airfoil {
public:
  /// @param collects_flux  the first kernel that adds collects; else "update" clears the sums
  airfoil(Mesh const& mesh, local_id places_of_tile, bool collects_flux = false)
      : mesh_(mesh),
        collects_flux_(collects_flux),
        q_(mesh.field<state>("q", cells)),
        old_(mesh.field<state>("old", cells)),
        res_(mesh.field<state>("res", cells)),
        adt_(mesh.field<double>("adt", cells)),
        n_(normals<2>(mesh)),
        step_(mesh) {
    q_.fill(far_field());
    step_.machine().settings().tile_extent = places_of_tile;
    step_.each(
        "save_soln", writes(old_), reads(q_), SEAM_KERNEL(auto old, auto q) { old = q(); });
    declare_half(false);
    declare_half(true);
  }

  /// The root of the mean square of the last change, after `count` more steps.
  double residual_after(std::int64_t count) {
    step_.run(count);
    return std::sqrt(change_ / static_cast<double>(mesh_.cells().num_global));
  }

  Steps<on_mesh>& steps() { return step_; }

private:
  void declare_half(bool is_last) {
    step_.each(
        "adt_calc", writes(adt_), reads(q_), reads(n_, sides),
        SEAM_KERNEL(auto adt, auto q, auto n) {
          double const sound = std::sqrt(gam * pressure(q()) / q()[0]);
          double sum = 0;
          for (int k = 0; k < n.count(); ++k)
            sum += std::abs(through(q(), n(k))) + sound * length(n(k));
          adt = sum / cfl;
        });
    auto const inner_flux = SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
      state const f = flux(q(0), q(1), 0.5 * (adt(0) + adt(1)) * eps, n());
      res(0) += f;
      res(1) -= f;
    };
    if (collects_flux_)
      step_.each("res_calc", mesh_.inner(sides), reads(q_, cells), reads(adt_, cells), reads(n_),
                 collects(res_, cells), inner_flux);
    else
      step_.each("res_calc", mesh_.inner(sides), reads(q_, cells), reads(adt_, cells), reads(n_),
                 adds(res_, cells), inner_flux);
    step_.each(
        "bres_calc: wall", mesh_.border(1), reads(q_, cells), reads(n_), adds(res_, cells),
        SEAM_KERNEL(auto q, auto n, auto res) { res(0) += push(pressure(q(0)), n()); });
    step_.each(
        "bres_calc: far field", mesh_.border(2), reads(q_, cells), reads(adt_, cells), reads(n_),
        adds(res_, cells), SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
          res(0) += flux(q(0), far_field(), adt(0) * eps, n());
        });
    bool const clears = !collects_flux_;
    step_.each(
        "update", writes(q_), reads(old_), modifies(res_), reads(adt_), sum(change_),
        SEAM_KERNEL(auto q, auto old, auto res, auto adt, auto total) {
          state const change = (1 / adt()) * res();
          q = old() - change;
          if (clears)
            res = state{};
          total(is_last ? dot(change, change) : 0.0);
        });
  }

  Mesh mesh_;
  bool collects_flux_;
  MeshField<state> q_, old_, res_;
  MeshField<double> adt_;
  MeshField<normal> n_;
  Value<double> change_{"change", 0.0};
  Steps<on_mesh> step_;
};

Mesh small_mesh(Communicator const& over) { return Mesh(over, airfoil_mesh(over, 8, 12)); }

} // namespace

TEST_CASE(
    "Airfoil's residual is that of OP2 after 100 iterations on 7,200 cells, bit by bit the same "
    "on any ranks and threads") {
  Mesh const mesh(world(), airfoil_mesh(world(), 40, 60));
  REQUIRE(mesh.cells().num_global == 7200);
  airfoil flow(mesh, 512);
  double const residual = flow.residual_after(100);
  CHECK(fmt::format("{:.5e}", residual) == "4.25406e-04");
  CHECK(fmt::format("{:a}", residual) == "0x1.be122dd5d9ecfp-12");
}

TEST_CASE("Airfoil has the same bits in tiles of any size, and on cells scattered over the ranks") {
  Communicator const all = world();
  double const expected = airfoil(small_mesh(alone()), 1 << 20).residual_after(7);
  for (local_id const places_of_tile : {3, 50, 1000})
    for (bool const collects_flux : {false, true})
      CHECK(airfoil(small_mesh(all), places_of_tile, collects_flux).residual_after(7) == expected);
  Mesh const mesh = small_mesh(all);
  std::mt19937 random(3);
  std::vector<int> destinations(mesh.cells().num_owned);
  for (int& destination : destinations)
    destination = static_cast<int>(random() % static_cast<unsigned>(all.size()));
  airfoil scattered(mesh.migrated(destinations), 10);
  CHECK(scattered.residual_after(3) != expected);
  CHECK(scattered.residual_after(4) == expected);
}
