// Fused steps on meshes: as many as the layers of ghost cells suffice for, with one exchange, and the bits
// of steps that are not fused; others are refused.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/mesh.hpp>

#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

Mesh deep_mesh(Communicator const& over, int depth, int through = 0) {
  return Mesh(over, airfoil_mesh(over, 8, 12), {.depth = depth, .through = through});
}

MeshField<double> numbered(Mesh const& mesh, mesh_part part) {
  auto field = mesh.field<double>("u", part);
  for (local_id e = 0; e < field.entities().num_owned; ++e)
    field(e) = static_cast<double>(field.entities().ids[e] * 37 % 101) / 7;
  return field;
}

std::vector<double> own_values(MeshField<double> const& field) {
  auto const all = field.values().first(static_cast<std::size_t>(field.entities().num_owned));
  return {all.begin(), all.end()};
}

/// Each cell becomes the mean of itself and the cells beside it: a layer for each step.
Steps<on_mesh> mean_of(Mesh const& mesh, MeshField<double>& u, Value<double>& total) {
  Steps step(mesh);
  step.each(
      "mean", updates(u, cells), SEAM_KERNEL(auto u) {
        double sum = u();
        for (int k = 0; k < u.count(); ++k)
          sum += u(k);
        u = sum / (1 + u.count());
      });
  step.each(
      "total", reads(u), seam::sum(total), SEAM_KERNEL(auto u, auto all) { all(u()); });
  return step;
}

/// The values after eight steps, and the sum.
std::vector<double> after_mean(Mesh const& mesh, int fused, int places_of_tile) {
  auto u = numbered(mesh, mesh_part::cells);
  Value<double> total("total", 0.0);
  Steps step = mean_of(mesh, u, total);
  step.machine().settings().tile_extent = places_of_tile;
  step.fuse(fused);
  step.run(8);
  auto all = own_values(u);
  all.push_back(total);
  return all;
}

/// Fluxes through sides and vertices of cells, added: two layers for each step.
std::vector<double> after_fluxes(Mesh const& mesh, int fused, int places_of_tile) {
  auto u = numbered(mesh, mesh_part::cells);
  auto r = mesh.field<double>("r", mesh_part::cells), at = mesh.field<double>("at", vertices);
  Steps step(mesh);
  step.machine().settings().tile_extent = places_of_tile;
  step.each(
      "corners", mesh.all(mesh_part::cells), reads(u), collects(at, vertices),
      SEAM_KERNEL(auto u, auto at) {
        for (int k = 0; k < at.count(); ++k)
          at(k) += u() / (3 + k);
      });
  step.each(
      "flux", mesh.inner(sides), reads(u, mesh_part::cells), reads(at, vertices),
      collects(r, mesh_part::cells), SEAM_KERNEL(auto u, auto at, auto r) {
        double const f = 0.125 * (u(1) - u(0)) + 0.01 * (at(1) - at(0));
        r(0) += f;
        r(1) -= f;
      });
  step.each(
      "wall", mesh.border(1), reads(u, mesh_part::cells), adds(r, mesh_part::cells),
      SEAM_KERNEL(auto u, auto r) { r(0) -= 0.01 * u(0); });
  step.each(
      "update", modifies(u), reads(r), SEAM_KERNEL(auto u, auto r) { u += r(); });
  step.fuse(fused);
  step.run(7);
  return own_values(u);
}

} // namespace

TEST_CASE("fused steps on a mesh have the bits of others, in tiles of any size") {
  for (int const places_of_tile : {1, 7, 0}) {
    auto const expected = after_mean(deep_mesh(world(), 1), 1, places_of_tile);
    for (int const fused : {2, 3, 4, 8})
      CHECK(after_mean(deep_mesh(world(), fused), fused, places_of_tile) == expected);
    for (int const fused : {2, 3})
      CHECK(after_mean(deep_mesh(world(), fused, 1), fused, places_of_tile) == expected);
    auto const fluxes = after_fluxes(deep_mesh(world(), 1), 1, places_of_tile);
    for (int const fused : {2, 3})
      CHECK(after_fluxes(deep_mesh(world(), 2 * fused), fused, places_of_tile) == fluxes);
  }
}

TEST_CASE("fused steps exchange once") {
  Mesh const mesh = deep_mesh(world(), 3);
  auto u = numbered(mesh, mesh_part::cells);
  Value<double> total("total", 0.0);
  Steps step = mean_of(mesh, u, total);
  step.fuse(3);
  std::string const text = step.explain();
  auto const at = text.find(" sends ", text.find("3 steps, fused: rank"));
  REQUIRE(at != std::string::npos);
  int const messages = std::stoi(text.substr(at + 7));
  auto const neighbors = std::ssize(mesh.cells().copies.ranks);
  CHECK(messages <= neighbors);
  CHECK((messages > 0) == (neighbors > 0));
}

TEST_CASE(
    "more fused steps than the ghost cells suffice for are refused, as are lists and colors") {
  if (world().size() == 1)
    return;
  Mesh const mesh = deep_mesh(world(), 3);
  auto u = numbered(mesh, mesh_part::cells);
  Value<double> total("total", 0.0);
  Steps step = mean_of(mesh, u, total);
  step.fuse(4);
  CHECK_THAT(
      refusal_of([&] { step.plan(); }),
      Contains(
          "steps: 4 steps are fused, and kernel 'mean' updates 'u' of cells around cells, of a "
          "mesh with 3 layers of ghost cells through vertices (expected at least 4, through "
          "vertices)"));
  step.fuse(3);
  step.run(4);
  auto const refused = [&](auto const& declare) {
    Steps other(mesh);
    declare(other);
    other.fuse(2);
    return refusal_of([&] { other.plan(); });
  };
  auto const kernel = SEAM_KERNEL(auto u) { u = u(); };
  CHECK_THAT(refused([&](auto& other) {
               other.each("smooth", modifies(u, mesh_part::cells), kernel).in_colors();
             }),
             Contains("2 steps are fused, and kernel 'smooth' runs in colors"));
  adjacency const list = mesh.adjacent(2, 2);
  CHECK_THAT(refused([&](auto& other) { other.each("listed", updates(u, list), kernel); }),
             Contains("2 steps are fused, and kernel 'listed' has a list"));
  std::vector<double> const numbers(static_cast<std::size_t>(mesh.cells().num_owned), 2);
  CHECK_THAT(refused([&](auto& other) {
               other.each(
                   "scaled", updates(u), reads(numbers),
                   SEAM_KERNEL(auto u, auto by) { u = by() * u(); });
             }),
             Contains("2 steps are fused, and kernel 'scaled' has a list, or numbers"));
}
