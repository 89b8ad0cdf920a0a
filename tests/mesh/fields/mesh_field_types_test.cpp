// Fields of any trivially copyable type on meshes: halos, partitioned halos and migration treat
// values as bytes, and what computes with them says so.
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/fields/partitioned_mesh_halo.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/field_types.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

template <class T>
T value_of(global_id id, int component) {
  return value_of_number<T>(3 * id + component);
}

/// Own entities get what their ids stand for, copies T{}.
template <class T>
void fill_owned(MeshField<T> const& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      field(e, c) =
          field.entities().is_owned(e) ? value_of<T>(field.entities().ids[std::size_t(e)], c) : T{};
}

template <class T>
int num_wrong(MeshField<T> const& field) {
  int wrong = 0;
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      wrong += field(e, c) == value_of<T>(field.entities().ids[std::size_t(e)], c) ? 0 : 1;
  return wrong;
}

Mesh some_mesh() {
  Communicator const all = world();
  return scattered(Mesh(all, box_mesh(all, shape::tetrahedron, {2, 3, 2})), 5);
}

} // namespace

TEMPLATE_TEST_CASE("copies hold their owner's value, whatever its type", "", bool, std::int8_t,
                   float, std::complex<double>, rgb, force, particle) {
  Mesh mesh = some_mesh();
  MeshField<TestType> u(mesh, "u", 3, 2);
  MeshField<double> v(mesh, "v", 3); // bytes behind those of odd length
  fill_owned(u), fill_owned(v);
  make_halo(u, v).run();
  CHECK(num_wrong(u) + num_wrong(v) == 0);

  fill_owned(u), fill_owned(v);
  auto partitioned = make_partitioned_halo(v, u);
  partitioned.start();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    partitioned.ready(c);
  partitioned.wait();
  CHECK(num_wrong(u) + num_wrong(v) == 0);

  std::vector<int> const to_next(std::size_t(mesh.cells().num_owned),
                                 (mesh.base().rank() + 1) % mesh.base().size());
  mesh = migrate(mesh, to_next, u);
  CHECK(num_wrong(u) == 0);
}

TEMPLATE_TEST_CASE("copies are added into their owners by the type's own +", "", std::int8_t, float,
                   std::complex<double>, force) {
  Mesh const mesh = some_mesh();
  MeshField<TestType> u(mesh, "u", 0);
  MeshField<int> holders(mesh, "holders", 0);
  auto const one = value_of_number<TestType>(1);
  for (local_id e = 0; e < u.entities().num_local(); ++e) {
    u(e) = one;
    holders(e) = 1;
  }
  make_reverse_halo(reduction::sum, u).run();
  make_reverse_halo(reduction::sum, holders).run();
  for (local_id e = 0; e < u.entities().num_owned; ++e) {
    TestType expected = one;
    for (int k = 1; k < holders(e); ++k)
      expected = static_cast<TestType>(expected + one);
    CHECK(u(e) == expected);
  }
}

TEST_CASE("a type's fields begin with its own first value") {
  Mesh const mesh = some_mesh();
  MeshField<particle> const u(mesh, "u", 2, 2);
  for (particle const& value : u.values())
    REQUIRE(value == particle{});
}

TEST_CASE("what a type cannot do to combine is one line on all ranks") {
  Mesh const mesh = some_mesh();
  MeshField<double> u(mesh, "u", 3);
  MeshField<particle> v(mesh, "v", 3);
  CHECK_THROWS_WITH(make_reverse_halo(reduction::sum, u, v),
                    Catch::Contains("reduction::sum of elements of 24 bytes whose type has no +") &&
                        Catch::Contains("first on rank 0"));
  CHECK_THROWS_WITH(make_partitioned_reverse_halo(reduction::max, v),
                    Catch::Contains("reduction::max of elements of 24 bytes whose type has no <"));
  CHECK_NOTHROW(make_reverse_halo(reduction::replace, v).run());
}
