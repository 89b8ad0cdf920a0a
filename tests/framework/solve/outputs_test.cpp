// Outputs of runs whose values stop being finite, on one rank or all.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/framework/meshes/mesh_outputs.hpp>
#include <seam/framework/solve/outputs.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <limits>

using namespace seam;
using namespace seam::testing;

using Catch::StartsWith;

TEST_CASE("a value of a grid that is not finite is named on all ranks when a run ends") {
  Grid<2> const grid(world(), {.cells = {12, 9}});
  auto u = grid.field<double>("u", {.components = 2});
  run_outputs seen(output_options(), u, 8);
  seen.begin(0);
  u.fill(1, [](auto x) {
    return x[0] > 0.5 && x[1] > 0.5 ? std::numeric_limits<double>::quiet_NaN() : 1;
  });
  CHECK_THAT(refusal_of([&] { seen.finish(8); }),
             StartsWith("'u' is nan at (6, 5) after step 8 (expected finite numbers)"));
  u.fill(1, 3.0);
  seen.finish(8);
}

TEST_CASE("integers are always finite") {
  Grid<1> const grid(world(), {.cells = {12}});
  auto const alive = grid.field<unsigned char>("alive");
  run_outputs seen(output_options(), alive, 8);
  seen.begin(0);
  seen.finish(8);
}

TEST_CASE("a value of a mesh that is not finite is named by the id of its entity") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {4, 4, 1}));
  auto u = mesh.field<double>("u", cells);
  run_outputs seen(output_options(), u, 8);
  seen.begin(0);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    if (mesh.cells().ids[std::size_t(c)] == 7)
      u(c) = std::numeric_limits<double>::infinity();
  CHECK_THAT(refusal_of([&] { seen.finish(8); }),
             StartsWith("'u' is inf at (7) after step 8 (expected finite numbers)"));
}
