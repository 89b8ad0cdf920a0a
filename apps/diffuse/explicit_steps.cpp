#include "explicit_steps.hpp"

#include <seam/mesh.hpp>

#include <cmath>

namespace diffuse {
explicit_steps::explicit_steps(seam::mesh_fluxes const& fluxes, seam::vertex_borders const& borders,
                               seam::MeshField<double> const& u, double length)
    : fluxes_(fluxes),
      borders_(borders),
      fields_{u, seam::MeshField<double>(u.mesh(), u.name(), u.dimension())},
      halos_{seam::make_partitioned_halo(fields_[0]), seam::make_partitioned_halo(fields_[1])} {
  seam::mesh_entities const& vertices = u.entities();
  auto [needs_none, needs_copies] =
      seam::split_by_reach(fluxes.neighbors, vertices.num_owned, vertices.num_owned);
  auto const vertices2ranks = seam::invert(vertices.copies.ranks2entities, vertices.num_owned);
  for (seam::local_id const v : needs_none)
    (vertices2ranks[v].empty() ? inner_ : leaving_).push_back(v);
  reading_ = std::move(needs_copies);
  for (seam::local_id v = 0; v < vertices.num_owned; ++v)
    rates_.push_back(std::isnan(borders.values(v)) ? length / fluxes.volumes[v] : 0);
}

void explicit_steps::go(std::int64_t count) {
  halos_[current_].start();
  for (seam::local_id v = 0; v < values().entities().num_owned; ++v)
    halos_[current_].ready(v);
  for (; count > 0; --count)
    step();
  halos_[current_].wait();
}

void explicit_steps::step() {
  seam::PartitionedMeshHalo &arriving = halos_[current_], &departing = halos_[1 - current_];
  double const* const u = fields_[current_].values().data();
  double* const next = fields_[1 - current_].values().data();
  double const *const rates = rates_.data(), *const sources = borders_.sources.data();
  double const* const conductances = fluxes_.conductances.data();
  std::int64_t const* const begins = fluxes_.neighbors.a2ab.data();
  seam::local_id const* const neighbors = fluxes_.neighbors.ab2b.data();
  auto const compute = [=](seam::local_id v) {
    double inflow = sources[v];
    for (std::int64_t n = begins[v]; n < begins[v + 1]; ++n)
      inflow += conductances[n] * (u[neighbors[n]] - u[v]);
    next[v] = u[v] + rates[v] * inflow;
  };
  departing.start();
  seam::for_each(leaving_, [=, &departing](seam::local_id v) {
    compute(v);
    departing.ready(v);
  });
  seam::for_each(inner_, compute);
  seam::for_each(reading_, [=, &arriving, &departing](seam::local_id v) {
    for (std::int64_t n = begins[v]; n < begins[v + 1]; ++n)
      arriving.wait_for(neighbors[n]);
    compute(v);
    departing.ready(v);
  });
  arriving.wait();
  current_ = 1 - current_;
}

} // namespace diffuse
