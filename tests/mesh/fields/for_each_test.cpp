// Loops by threads over entities of a mesh.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/fields/for_each.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <atomic>

using namespace seam;
using namespace seam::testing;

TEST_CASE("loops visit each own entity once") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind) {
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 3);
    for (mesh_part const part : {vertices, sides, cells}) {
      auto visits = mesh.field<int>("visits", part);
      std::atomic<int> count = 0;
      for_each(mesh, part, [&](local_id e) {
        ++visits(e);
        ++count;
      });
      CHECK(count == visits.entities().num_owned);
      for (local_id e = 0; e < visits.entities().num_local(); ++e)
        REQUIRE(visits(e) == (visits.entities().is_owned(e) ? 1 : 0));
    }
  }
}

TEST_CASE("sides are at the border or between two cells, and found by their tag") {
  Communicator const all = world();
  for (shape const of : {shape::quadrilateral, shape::tetrahedron}) {
    Mesh const mesh = scattered(Mesh(all, box_mesh(all, of, {4, 3, 2})), 5);
    int const d = mesh.num_dimensions();
    auto const border = border_sides(mesh), inner = inner_sides(mesh);
    CHECK(std::ssize(border) + std::ssize(inner) == mesh.sides().num_owned);
    auto visits = mesh.field<int>("visits", sides);
    for_each(border, [&](local_id side) { visits(side) += 1; });
    for_each(inner, [&](local_id side) { visits(side) += 2; });
    std::vector<std::int64_t> tagged_sides(7);
    for (std::int32_t tag = 1; tag <= 2 * d; ++tag) {
      auto const with_tag = border_sides(mesh, tag);
      CHECK(with_tag == tagged(mesh, sides, tag));
      tagged_sides[std::size_t(tag)] = std::ssize(with_tag);
      for (local_id const side : with_tag)
        CHECK(visits(side) == 1);
    }
    mpi::allreduce(all.context(), std::span(tagged_sides), MPI_SUM);
    if (d == 2)
      CHECK(tagged_sides == std::vector<std::int64_t>{0, 3, 3, 4, 4, 0, 0});
    else
      CHECK(tagged_sides == std::vector<std::int64_t>{0, 12, 12, 16, 16, 24, 24});
  }
}

TEST_CASE("sides of a mesh without ghosts are refused: which are at its border is not known") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {3, 3, 1}), {.depth = 0});
  CHECK_THROWS_WITH(border_sides(mesh), Catch::Contains("the mesh has no ghost layer"));
  CHECK_THROWS_WITH(inner_sides(mesh), Catch::Contains("the mesh has no ghost layer"));
}
