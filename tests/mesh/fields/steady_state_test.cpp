// Once halos of a mesh have been planned, they ask for no memory and send what the plan says.
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
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

TEST_CASE("steps on meshes allocate nothing once they have run") {
  Communicator const all = testing::world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {4, 4, 6}));
  auto u = mesh.field<double>("u", cells), r = mesh.field<double>("r", cells);
  u.fill(1.5);
  Value<double> largest("largest", 1);
  Steps step(mesh);
  step.each(
      "flux", mesh.inner(sides), reads(u, cells), collects(r, cells),
      SEAM_KERNEL(auto from, auto to) {
        to(0) += 0.1 * (from(1) - from(0));
        to(1) += 0.1 * (from(0) - from(1));
      });
  step.each(
      "add", updates(u, cells), reads(r), with(largest), maximum(largest),
      SEAM_KERNEL(auto now, auto rate, double scale, auto most) {
        now = now() + rate() + 0.001 * now(0) / scale;
        most(now());
      });
  for (int k = 0; k < 3; ++k)
    step.run(4);
  num_allocations = 0;
  for (int k = 0; k < runs; ++k)
    step.run(4);
  CHECK(num_allocations == 0);
}
