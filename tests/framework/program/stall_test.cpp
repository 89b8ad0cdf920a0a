// One rank does not come to a call on a grid or mesh that the others make. One line says so, which
// names the call, the rank, and what it does instead.
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/late_rank.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <regex>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Cells on a ring of all ranks.
Grid<1> ring_grid(Communicator const& world) {
  grid_options<1> options;
  options.cells = {8 * world.size()};
  options.periodic = {true};
  return Grid<1>(world, options);
}

std::vector<late_call> calls_on_grids() {
  return {
      {"Grid", [](Communicator const& world) -> called { return [&] { ring_grid(world); }; }},
      {"Field",
       [](Communicator const& world) -> called {
         return [grid = ring_grid(world)] { static_cast<void>(grid.field<double>("u")); };
       }},
      {"make_halo",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         return [=] { make_halo(*u); };
       }},
      {"the halo of u, v",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const v = std::make_shared<Field<int, 1>>(u->grid(), "v");
         auto const halo = std::make_shared<Halo>(make_halo(*u, *v));
         u->fill([](position<1> x) { return x[0]; });
         return [=] {
           halo->run();
           double const spacing = u->grid().spacing()[0];
           CHECK(std::abs(std::remainder(u->view()(-1) - u->view()(0) + spacing, 1.0)) < 1e-12);
         };
       }},
      {"the halo of u",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const halo = std::make_shared<Halo>(make_halo(*u));
         return [=] { halo->start().wait(); };
       }},
      {"a sweep of u and next",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const next = std::make_shared<Field<double, 1>>(u->grid(), "next");
         u->fill(1.0);
         auto const loop = std::make_shared<Iterate<double, 1>>(u->grid(), *u, *next);
         return [=] {
           loop->sweeps(3, [](auto const& at, int i) { return at(i - 1) + at(i + 1); });
           CHECK(u->view()(0) == 8.0);
         };
       }},
      {"Iterate::change",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const next = std::make_shared<Field<double, 1>>(u->grid(), "next");
         auto const loop = std::make_shared<Iterate<double, 1>>(u->grid(), *u, *next);
         loop->sweep([](auto const& at, int i) { return at(i - 1) + 1; });
         return [=] { CHECK(loop->change() == 1.0); };
       }},
      {"the halo of u",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const halo = std::make_shared<PartitionedHalo<1>>(make_partitioned_halo(*u));
         return [=] {
           halo->start();
           halo->ready(u->owned());
           halo->wait();
         };
       }},
      {"write",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         return [=] { write(u->grid(), *u, "stall.vtkhdf"); };
       }},
      {"the halo of m",
       [](Communicator const& world) -> called {
         Mesh const mesh(world, box_mesh(world, shape::hexahedron, {4, 4, 4}));
         auto const m = std::make_shared<MeshField<double>>(mesh, "m", 0);
         auto const halo = std::make_shared<MeshHalo>(make_halo(*m));
         return [=] { halo->run(); };
       }},
  };
}

} // namespace

TEST_CASE("a rank that does not come to a halo, a sweep, or what makes them is named") {
  reporting const now;
  check_late(calls_on_grids());
}

TEST_CASE("a root that gathers a field names the rank whose cells are missing") {
  reporting const now;
  auto const world = testing::world();
  Field<double, 1> u(ring_grid(world), "u");
  u.fill(2.0);
  auto const said = said_before(1, [&] {
    auto const whole = gather(u);
    CHECK(std::ranges::count(whole, 2.0) == (world.rank() == 0 ? 8 * world.size() : 0));
  });
  INFO(said);
  CHECK(std::regex_match(said, std::regex("seam: rank 0 has waited for [0-9.]+ s in gather, which "
                                          "needs rank 1: it computes[^\n]*\n")));
}

TEST_CASE(
    "a rank that is in the MPI library alone is named, too, and what is missing in its wait") {
  reporting const now;
  auto const world = testing::world();
  Grid<1> const grid = ring_grid(world);
  auto u = grid.field<double>("u");
  auto halo = make_partitioned_halo(u);
  auto const said = said_before(1, [&] {
    halo.start();
    halo.ready(u.owned());
    halo.wait();
  });
  INFO(said);
  CHECK(said.find("; an exchange in round 1 of") != std::string::npos);
  CHECK(said.find("nothing has come from rank 1") != std::string::npos);
}
