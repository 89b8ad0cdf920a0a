// Airfoil, OP2's benchmark, on the core of steps: the residuals that OP2 prints, and the same bits on any
// ranks, threads and tiles. Its kernels are those of [MudaligeGilesReguly2012]; OP2's constants are floats.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/mesh_steps.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/fluxes/geometry.hpp>

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

template <class T>
std::shared_ptr<mesh_values<T>> values_on(std::shared_ptr<mesh_space const> const& space,
                                          std::string name, mesh_part part) {
  return std::make_shared<mesh_values<T>>(space, std::move(name), part);
}

/// Airfoil's fields and kernels.
class airfoil {
public:
  airfoil(Mesh const& mesh, local_id places_of_tile)
      : space_(std::make_shared<mesh_space>(mesh, places_of_tile)),
        q_(values_on<state>(space_, "q", cells)),
        old_(values_on<state>(space_, "old", cells)),
        res_(values_on<state>(space_, "res", cells)),
        adt_(values_on<double>(space_, "adt", cells)),
        n_(values_on<normal>(space_, "n", sides)),
        change_(std::make_shared<detail::typed_step_value<double>>("change", 0.0)),
        step_(space_) {
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      (*q_)(c) = far_field();
    auto const normal_of = normals<2>(mesh);
    for (local_id side = 0; side < mesh.sides().num_owned; ++side)
      (*n_)(side) = normal_of(side);
    step_.each("save_soln", writes(old_), reads(q_), [](auto old, auto q) { old() = q(); });
    declare_half(false);
    declare_half(true);
  }

  /// The root of the mean square of the last change, after `count` more steps.
  double residual_after(std::int64_t count) {
    step_.run(count);
    return std::sqrt(change_->now / static_cast<double>(space_->mesh().cells().num_global));
  }

  mesh_steps& steps() { return step_; }

private:
  void declare_half(bool is_last) {
    Mesh const& mesh = space_->mesh();
    step_.each("adt_calc", writes(adt_), reads(q_), reads(n_, sides), [](auto adt, auto q, auto n) {
      double const sound = std::sqrt(gam * pressure(q()) / q()[0]);
      double sum = 0;
      for (int k = 0; k < n.count(); ++k)
        sum += std::abs(through(q(), n(k))) + sound * length(n(k));
      adt() = sum / cfl;
    });
    step_.each("res_calc", inner_sides(mesh), reads(q_, cells), reads(adt_, cells), reads(n_),
               adds(res_, cells), [](auto q, auto adt, auto n, auto res) {
                 state const f = flux(q(0), q(1), 0.5 * (adt(0) + adt(1)) * eps, n());
                 res(0) += f;
                 res(1) -= f;
               });
    step_.each("bres_calc: wall", border_sides(mesh, 1), reads(q_, cells), reads(n_),
               adds(res_, cells),
               [](auto q, auto n, auto res) { res(0) += push(pressure(q(0)), n()); });
    step_.each("bres_calc: far field", border_sides(mesh, 2), reads(q_, cells), reads(adt_, cells),
               reads(n_), adds(res_, cells), [](auto q, auto adt, auto n, auto res) {
                 res(0) += flux(q(0), far_field(), adt(0) * eps, n());
               });
    step_.each("update", writes(q_), reads(old_), modifies(res_), reads(adt_), sum(change_),
               [is_last](auto q, auto old, auto res, auto adt, auto total) {
                 state const change = (1 / adt()) * res();
                 q() = old() - change;
                 res() = {};
                 total(is_last ? dot(change, change) : 0.0);
               });
  }

  std::shared_ptr<mesh_space const> space_;
  std::shared_ptr<mesh_values<state>> q_, old_, res_;
  std::shared_ptr<mesh_values<double>> adt_;
  std::shared_ptr<mesh_values<normal>> n_;
  std::shared_ptr<detail::typed_step_value<double>> change_;
  mesh_steps step_;
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
    CHECK(airfoil(small_mesh(all), places_of_tile).residual_after(7) == expected);
  Mesh const mesh = small_mesh(all);
  std::mt19937 random(3);
  std::vector<int> destinations(mesh.cells().num_owned);
  for (int& destination : destinations)
    destination = static_cast<int>(random() % static_cast<unsigned>(all.size()));
  airfoil scattered(mesh.migrated(destinations), 10);
  CHECK(scattered.residual_after(3) != expected);
  CHECK(scattered.residual_after(4) == expected);
}

TEST_CASE("copies of what a kernel reads travel, and nothing else") {
  Mesh const mesh = small_mesh(world());
  auto const space = std::make_shared<mesh_space>(mesh, 16);
  auto const ids = values_on<double>(space, "ids", cells),
             sum_of = values_on<double>(space, "sum", cells);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    (*ids)(c) = static_cast<double>(mesh.cells().ids[c]);
  for (local_id c = mesh.cells().num_owned; c < mesh.cells().num_local(); ++c)
    (*ids)(c) = -1;
  mesh_steps step(space);
  step.each("sum", inner_sides(mesh), reads(ids, cells), adds(sum_of, cells),
            [](auto id, auto sum) {
              sum(0) += id(1);
              sum(1) += id(0);
            });
  step.run(1);
  auto const& neighbors = mesh.adjacent(2, 2);
  std::vector<bool> is_read(mesh.cells().num_local());
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    double expected = 0;
    for (local_id const other : neighbors[c]) {
      expected += static_cast<double>(mesh.cells().ids[other]);
      is_read[other] = true;
    }
    CHECK((*sum_of)(c) == expected);
  }
  for (local_id c = mesh.cells().num_owned; c < mesh.cells().num_local(); ++c)
    CHECK((*ids)(c) == (is_read[c] ? static_cast<double>(mesh.cells().ids[c]) : -1));
}

TEST_CASE("kernels with updates read the old values around them, and the field has the new ones") {
  Mesh const mesh = small_mesh(world());
  auto const space = std::make_shared<mesh_space>(mesh, 16);
  auto const u = values_on<double>(space, "u", vertices);
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    (*u)(v) = static_cast<double>(mesh.vertices().ids[v] % 17);
  mesh_steps step(space);
  step.each("mean", updates(u, vertices), [](auto u) {
    double sum = u();
    for (int k = 0; k < u.count(); ++k)
      sum += u(k);
    u = sum / (1 + u.count());
  });
  Mesh const whole = small_mesh(alone());
  std::vector<double> now, next;
  for (local_id v = 0; v < whole.vertices().num_owned; ++v)
    now.push_back(static_cast<double>(whole.vertices().ids[v] % 17));
  for (int round = 1; round <= 5; ++round) {
    next = now;
    for (local_id v = 0; v < whole.vertices().num_owned; ++v) {
      auto const around = whole.adjacent(0, 0)[v];
      for (local_id const other : around)
        next[v] += now[other];
      next[v] /= static_cast<double>(1 + around.size());
    }
    now = next;
    step.run(1);
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
      auto const at = std::ranges::lower_bound(whole.vertices().ids, mesh.vertices().ids[v]);
      CHECK((*u)(v) == now[at - whole.vertices().ids.begin()]);
    }
  }
}

TEST_CASE("plans of a mesh in words, and what steps on meshes refuse, on all ranks") {
  Mesh const mesh = small_mesh(world());
  airfoil flow(mesh, 64);
  CHECK_THAT(flow.steps().explain(),
             Contains("kernel 'res_calc' reads(q of neighbors)") && Contains("field q: copies"));
  auto const space = std::make_shared<mesh_space>(mesh, 16),
             other = std::make_shared<mesh_space>(mesh, 16);
  auto const u = values_on<double>(space, "u", cells), v = values_on<double>(other, "v", cells),
             w = values_on<double>(space, "w", sides);
  auto const refused = [&](auto const& declare) {
    mesh_steps step(space);
    declare(step);
    return refusal_of([&] { step.run(1); });
  };
  CHECK_THAT(refused([&](mesh_steps& step) {
               step.each("k", writes(u), reads(v), [](auto u, auto v) { u() = v(); });
             }),
             Contains("kernel 'k': field 'v' belongs to another mesh"));
  CHECK_THAT(refused([&](mesh_steps& step) {
               step.each("k", writes(u), writes(w), [](auto u, auto w) { u() = w() = 1; });
             }),
             Contains("kernel 'k' writes 'u', of dimension 2 (expected 1"));
  CHECK_THAT(refused([&](mesh_steps& step) {
               step.each("k", inner_sides(mesh), reads(u, cells), adds(u, cells),
                         [](auto from, auto to) { to(0) += from(1); });
             }),
             Contains("kernel 'k' reads and adds 'u'"));
  CHECK_THAT(refused([&](mesh_steps& step) {
               step.each("k", writes(u), [](auto u) { u() = 1; });
               step.machine().fuse(2);
             }),
             Contains("2 steps are fused, and kernel 'k' computes at entities of a mesh"));
  CHECK_THAT(refused([&](mesh_steps& step) {
               step.each("k", writes(u), [](auto u) { u() = 1; });
               step.machine().program().kernels.front().num_colors = 2;
             }),
             Contains("kernel 'k' in a box, by a mask, in colors or in order"));
}
