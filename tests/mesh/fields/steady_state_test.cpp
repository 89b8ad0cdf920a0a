// Once halos of a mesh have been planned, they ask for no memory and send what the plan says.
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/roles/mesh_steps.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

namespace {

constexpr int runs = 20;

/// What happens during `runs` runs, after a few that do not count.
testing::mpi_calls during(MeshHalo& halo) {
  for (int r = 0; r < 3; ++r)
    halo.run();
  num_allocations = 0;
  return testing::calls_of([&] {
    for (int r = 0; r < runs; ++r)
      halo.run();
  });
}

} // namespace

TEST_CASE("halos of meshes allocate nothing, and ask nothing of MPI within a node") {
  Communicator const all = testing::world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {4, 4, 6}));
  for (bool const shared : {true, false}) {
    shared_memory_in_scope const scope(shared);
    Mesh const own(all, mesh.share());
    MeshField<double> u(own, "u", 3), v(own, "v", 0, 3);
    auto cells = make_halo(u), vertices = make_reverse_halo(reduction::sum, v);
    REQUIRE(num_allocations > 0); // or else nothing is counted
    for (MeshHalo* halo : {&cells, &vertices}) {
      auto const calls = during(*halo);
      CHECK(num_allocations == 0);
      CHECK(calls.collectives == 0);
      bool const is_by_messages = own.graph().node().is_alone();
      CHECK(calls.sends == (is_by_messages || !shared ? runs * halo->num_messages() : 0));
    }
  }
}

namespace {

/// A kernel of each kind: on sets, with lists and numbers, additions from sides and vertices, colors,
/// values; those that may be fused, or all.
class many_kernels {
public:
  many_kernels(Mesh const& mesh, bool are_all)
      : u_(mesh.field<double>("u", cells)),
        r_(mesh.field<double>("r", cells, 2)),
        v_(mesh.field<double>("v", vertices)),
        step(mesh) {
    u_.fill(1.5);
    declare(mesh);
    if (are_all)
      declare_more(mesh);
  }

private:
  void declare(Mesh const& mesh) {
    step.each(
        "flux", mesh.inner(sides), reads(u_, cells), collects(r_, cells),
        SEAM_KERNEL(auto from, auto to) {
          to(0) += 0.1 * (from(1) - from(0));
          to[1](1) += 0.1 * (from(0) - from(1));
        });
    step.each(
        "border", mesh.border(), reads(u_, cells), adds(r_, cells),
        SEAM_KERNEL(auto from, auto to) { to(0) += 0.01 * from(0); });
    step.each(
        "add", updates(u_, cells), reads(r_), with(largest_), maximum(largest_), sum(total_),
        SEAM_KERNEL(auto now, auto rate, double scale, auto most, auto total) {
          now = now() + rate() + rate[1]() + 0.001 * now(0) / scale;
          most(now());
          total(now());
        });
    step.each(
            "now and then", mesh.inner(vertices), writes(v_), reads(u_, cells),
            SEAM_KERNEL(auto at, auto around) { at = around(0); })
        .every(2, 1);
  }

  void declare_more(Mesh const& mesh) {
    auto const fluxes = find_vertex_fluxes(mesh);
    step.each(
        "list", updates(v_, fluxes.neighbors), reads(fluxes.conductances), reads(fluxes.volumes),
        SEAM_KERNEL(auto v, auto k, auto volume) { v = v() + 1e-9 / volume() * inflow(k, v); });
    step.each(
            "smooth", modifies(u_, cells), SEAM_KERNEL(auto u) { u = 0.5 * (u() + u(0)); })
        .in_colors();
  }

  MeshField<double> u_, r_, v_;
  Value<double> largest_{"largest", 1}, total_{"total", 0.0};

public:
  Steps<on_mesh> step;
};

} // namespace

TEST_CASE("steps on meshes allocate nothing once they have run, fused ones and others") {
  Communicator const all = testing::world();
  bool const is_fused = GENERATE(false, true), is_checked = GENERATE(false, true);
  checks_in_scope const checks(is_checked);
  shared_memory_in_scope const scope(is_fused == is_checked);
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {3, 3, 3}), {.depth = is_fused ? 5 : 1});
  many_kernels program(mesh, !is_fused);
  program.step.fuse(is_fused ? 2 : 1);
  constexpr int steps = 5; // a chain of four or two fused ones, and one more
  auto const run = [&] {   // from even steps and odd ones, which differ
    for (int const more : {0, 1, 0, 1})
      program.step.run(steps + more);
  };
  run();
  num_allocations = 0;
  run();
  CHECK(num_allocations == 0);
}

TEST_CASE("chains of steps after the first need no plan if no copies outlast a chain") {
  Mesh const mesh(testing::world(), box_mesh(testing::world(), shape::triangle, {6, 6, 1}));
  auto u = mesh.field<double>("u", cells), k = mesh.field<double>("k", cells);
  u.fill(1.5);
  k.fill(0.125);
  Steps step(mesh);
  step.each(
      "mean", updates(u, cells), reads(k), SEAM_KERNEL(auto u, auto by) { u = u() + by() * u(0); });
  step.run(4);
  num_allocations = 0;
  step.run(12);
  CHECK(num_allocations == 0);
}
