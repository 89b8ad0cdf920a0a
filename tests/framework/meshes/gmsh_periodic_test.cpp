// Periodic meshes that Gmsh makes, in its formats: a torus of two and one of three dimensions; through
// files and checkpoints, too.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/meshes/mesh_checkpoint.hpp>
#include <seam/framework/meshes/mesh_diffusion.hpp>
#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/framework/meshes/read_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/mesh/fluxes/geometry.hpp>
#include <seam/mesh/graphs/divided.hpp>

#include <cmath>
#include <numbers>

namespace seam::testing {
namespace {

using Catch::Contains;

mesh_input read(Communicator const& over, std::string const& name) {
  return read_mesh(over, fmt::format("{}/{}.msh", SEAM_MESHES, name));
}

std::int64_t euler_characteristic(Mesh const& mesh) {
  std::int64_t sum = 0, sign = 1;
  for (int d = 0; d <= mesh.num_dimensions(); ++d, sign = -sign)
    sum += sign * mesh.entities(d).num_global;
  return sum;
}

/// Checks that no side is at a border, and that the mesh has the volume that it had in the file.
void check_torus(Mesh const& mesh, double volume) {
  int const d = mesh.num_dimensions();
  REQUIRE(mesh.problem().empty());
  CHECK(std::ssize(mesh.periods()) == d);
  CHECK(euler_characteristic(mesh) == 0);
  CHECK(sum(volumes(mesh)) == Approx(volume));
  for (local_id side = 0; side < mesh.sides().num_owned; ++side)
    REQUIRE(mesh.adjacent(d - 1, d)[side].size() == 2);
}

/// A wave that repeats itself on the square of 2 by 1 and on the cube.
double wave(std::array<double, 3> const& x) {
  constexpr double turn = 2 * std::numbers::pi;
  return std::sin(turn * x[0]) * std::cos(turn * x[1]);
}

} // namespace

TEST_CASE("Gmsh's periodic meshes close on themselves, in each format") {
  Communicator const all = world();
  for (std::string const name : {"torus-22", "torus-22-binary", "torus-40", "torus-41-binary"}) {
    CAPTURE(name);
    Mesh const mesh = divided(all, read(all, name));
    check_torus(mesh, 2);
    CHECK(mesh.tag("the square", cells) == 3);
    CHECK(mesh.tag("sides", sides) == 2);
  }
  check_torus(divided(all, read(all, "torus-3")), 1);
}

TEST_CASE("a wave on a torus decays at its rate") {
  Communicator const all = world();
  for (std::string const name : {"torus-41-binary", "torus-3"}) {
    CAPTURE(name);
    Mesh const mesh = divided(all, read(all, name));
    auto const fluxes = find_vertex_fluxes(mesh);
    auto u = mesh.field<double>("u", vertices);
    u.fill(wave);
    double energy = 0, flow = 0; // of the discrete operator: flow / energy is the rate
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
      energy += fluxes.volumes[std::size_t(v)] * u(v) * u(v);
      flow -= u(v) * fluxes.inflow(v, u);
    }
    double const rate = mpi::allreduce(all.context(), flow, MPI_SUM) /
                        mpi::allreduce(all.context(), energy, MPI_SUM);
    CHECK(rate == Approx(8 * std::numbers::pi * std::numbers::pi).epsilon(0.2));
    CHECK(sum(mesh, 0, [&](local_id v) { return fluxes.inflow(v, u); }) == Approx(0).margin(1e-10));
  }
}

TEST_CASE("periodic meshes come back from files and checkpoints") {
  Communicator const all = world();
  for (std::string const name : {"torus-22", "torus-3"}) {
    CAPTURE(name);
    Mesh const mesh = divided(all, read(all, name));
    double const volume = mesh.num_dimensions() == 2 ? 2 : 1;
    auto u = mesh.field<double>("u", vertices);
    u.fill(wave);
    write(mesh, u, "torus.vtkhdf");
    Mesh const written = divided(all, read_mesh(all, "torus.vtkhdf"));
    check_torus(written, volume);
    CHECK(written.vertices().num_global == mesh.vertices().num_global);
    auto const file = fresh_folder(all, "torus") / "torus.h5";
    save(all, file, mesh, u);
    Mesh const loaded = load_mesh(all, file);
    check_torus(loaded, volume);
    auto again = loaded.field<double>("u", vertices);
    load(all, file, again);
    for (local_id v = 0; v < loaded.vertices().num_owned; ++v)
      REQUIRE(again(v) == wave(loaded.center(0, v)));
    write_png(u, "torus.png", {.largest_side = 50});
  }
  auto const joined = divided(all, read(all, "torus-22")).field<int>("joined_ids", cells);
  CHECK_THROWS_WITH(write(joined.mesh(), joined, "no.vtkhdf"),
                    Contains("a field is named 'joined_ids'"));
}

} // namespace seam::testing
