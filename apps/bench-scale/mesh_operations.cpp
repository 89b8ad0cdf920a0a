// Meshes: a box of hexahedra, divided by recursive inertial bisection and by coordinates.
#include "survey.hpp"

#include <seam/diffusion.hpp>
#include <seam/mapping.hpp>
#include <seam/partition.hpp>

#include <algorithm>
#include <cmath>

namespace scale_bench {
namespace {

/// A cube of cells for all ranks, which begins in shares that are not compact.
seam::Mesh make_cube(survey const& all) {
  auto const processes = seam::dims_create(all.world().size(), std::array{0, 0, 0});
  double const root = std::cbrt(static_cast<double>(all.wanted().cells));
  auto const edge = std::max<std::int64_t>(2, static_cast<std::int64_t>(root + 1e-9));
  std::array<std::int64_t, 3> bricks{};
  std::array<double, 3> lengths{};
  for (int a = 0; a < 3; ++a) {
    bricks[a] = edge * processes[a];
    lengths[a] = static_cast<double>(bricks[a]);
  }
  return {all.world(), seam::box_mesh(all.world(), seam::shape::hexahedron, bricks, lengths)};
}

void measure_diffusion(survey& all, seam::Mesh const& mesh) {
  seam::local_id const num_owned = mesh.vertices().num_owned;
  seam::MeshField<double> u(mesh, "u", 0), next(mesh, "next", 0);
  seam::mesh_fluxes const fluxes = seam::find_vertex_fluxes(mesh);
  double const dt = 0.9 * seam::longest_step(mesh.base(), fluxes);
  auto const sweep = [&](std::vector<seam::local_id> const& vertices) {
    for (seam::local_id const v : vertices)
      next(v) = u(v) + dt / fluxes.volumes[v] * fluxes.inflow(v, u);
  };
  all.measure("halo of a mesh",
              [&] { return std::make_shared<seam::MeshHalo>(seam::make_halo(u)); });
  seam::MeshHalo halo = seam::make_halo(u);
  auto const rows = seam::split_by_reach(fluxes.neighbors, num_owned, num_owned);
  all.measure("step of mesh diffusion", [&] {
    seam::in_flight flying = halo.start();
    sweep(rows.inner);
    flying.wait();
    sweep(rows.rim);
    std::ranges::copy(next.values().first(num_owned), u.values().begin());
    return nullptr;
  });
}

} // namespace

void measure_meshes(survey& all) {
  int const num_parts = all.world().size();
  seam::Mesh mesh = make_cube(all);
  mesh = mesh.migrated(seam::partition(mesh, num_parts, seam::partition_method::rcb));
  seam::mesh_input const share = mesh.share();
  all.measure("Mesh", [&] { return std::make_shared<seam::Mesh>(all.world(), share); });
  using parts = std::vector<int>;
  auto const by_rib = [&] { return seam::partition(mesh, num_parts, seam::partition_method::rib); };
  all.measure("RIB", [&] { return std::make_shared<parts>(by_rib()); });
  parts const cells2ranks = by_rib();
  all.measure("migration",
              [&] { return std::make_shared<seam::Mesh>(mesh.migrated(cells2ranks)); });
  measure_diffusion(all, mesh);
}

} // namespace scale_bench
