// Sums, extremes and norms of meshes against exact integers and expansions: the same bits on any
// ranks and threads, and however the mesh is divided.
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/sum.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/exact_oracle.hpp>
#include <support/field_types.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// u = values[id * components + component]; copies hold what must not be counted.
template <class T>
void set(MeshField<T> const& u, std::vector<T> const& values) {
  for (local_id e = 0; e < u.entities().num_local(); ++e)
    for (int c = 0; c < u.num_components(); ++c)
      u(e, c) = u.entities().is_owned(e)
                    ? values[std::size_t(u.entities().ids[std::size_t(e)] * u.num_components() + c)]
                    : static_cast<T>(1e9);
}

} // namespace

TEST_CASE("sums, products and norms of mesh fields are exact, however the mesh is divided") {
  Communicator const all = world();
  Mesh const whole(all, box_mesh(all, shape::triangle, {9, 8, 1}));
  for (unsigned seed = 0; seed < 3; ++seed) {
    INFO("seed " << seed);
    Mesh const mesh = seed == 0 ? whole : scattered(whole, int(seed));
    for (int d = 0; d <= 2; ++d) {
      MeshField<double> u(mesh, "u", d, 2);
      auto const values = cancelling_values(seed, std::size_t(2 * mesh.entities(d).num_global));
      set(u, values);
      CHECK(sum(u) == expansion_sum(values));
      CHECK(sum(mesh, d, [&](local_id e) { return u(e, 0); }) ==
            -sum(mesh, d, [&](local_id e) { return -u(e, 0); }));
      CHECK(maximum(u) == *std::ranges::max_element(values));
      CHECK(minimum(u, [](double x) { return -x; }) == -maximum(u));
    }
    MeshField<int> v(mesh, "v", 2), w(mesh, "w", 2);
    std::vector<int> a, b;
    std::int64_t products = 0;
    for (int k = 0; k < 2 * 9 * 8; ++k) {
      a.push_back(17 * k - 900);
      b.push_back(k * k % 1001 - 500);
      products += std::int64_t{a.back()} * b.back();
    }
    set(v, a), set(w, b);
    CHECK(dot(v, w) == double(products));
    CHECK(maximum_norm(v) == 17 * 143 - 900);
    CHECK(norm(w) * norm(w) == Approx(dot(w, w)));
    CHECK(sum(mesh, 2, [&](local_id c) { return v(c) < 0; }) == 53);
  }
}

TEST_CASE("ranks without cells take part") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::line, {2, 1, 1}));
  MeshField<float> u(mesh, "u", 1);
  for (float& value : u.values())
    value = 0.25F;
  CHECK(sum(u) == 0.5);
  CHECK(norm(mesh, 1, [](local_id) { return 3.0; }) == std::sqrt(18.0));
  CHECK(minimum(mesh, 0, [&](local_id v) { return mesh.vertices().ids[std::size_t(v)]; }) == 0);
}

TEST_CASE("fields of structures are reduced by functions of their values") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {3, 2, 1}));
  MeshField<particle> u(mesh, "u", 0);
  CHECK(sum(u, [](particle const& p) { return p.mass; }) == 12);
  CHECK(minimum(u, [](particle const& p) { return p.id; }) == 1'000'000);
}

TEST_CASE("products need fields on the same entities") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {3, 2, 1}));
  MeshField<double> u(mesh, "u", 0), v(mesh, "v", 2), w(mesh, "w", 0, 2);
  CHECK_THROWS_WITH(dot(u, v), Catch::Contains("fields 'u' and 'v' differ"));
  CHECK_THROWS_WITH(dot(u, w), Catch::Contains("fields 'u' and 'w' differ"));
}
