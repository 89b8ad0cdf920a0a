#include "explicit_steps.hpp"

#include <seam/exchange/mpi/collective.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <limits>

namespace diffuse {

double longest_step(seam::mpi::comm_view over, seam::two_point_fluxes const& fluxes) {
  double longest = std::numeric_limits<double>::infinity();
  for (seam::local_id c = 0; c < fluxes.cells2cells.num_rows(); ++c) {
    auto const row = static_cast<std::size_t>(c);
    double sum = 0;
    for (auto n = fluxes.cells2cells.a2ab[row]; n < fluxes.cells2cells.a2ab[row + 1]; ++n)
      sum += fluxes.conductances[static_cast<std::size_t>(n)];
    if (sum > 0)
      longest = std::min(longest, fluxes.volumes[row] / sum);
  }
  return seam::mpi::allreduce(over, longest, MPI_MIN);
}

namespace {

/// Calls visit(c) for each of the cells, by all threads.
template <class Visit>
void for_each(std::vector<seam::local_id> const& cells, Visit const& visit) {
  using policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>;
  seam::local_id const* const which = cells.data();
  Kokkos::parallel_for("diffuse", policy(0, std::ssize(cells)),
                       [=](std::int64_t k) { visit(which[k]); });
  policy::execution_space().fence();
}

} // namespace

explicit_steps::explicit_steps(seam::two_point_fluxes const& fluxes,
                               seam::MeshField<double> const& u, double length)
    : fluxes_(fluxes),
      fields_{u, seam::MeshField<double>(u.mesh(), u.name(), u.dimension())},
      halos_{seam::make_partitioned_halo(fields_[0]), seam::make_partitioned_halo(fields_[1])},
      length_(length) {
  seam::mesh_entities const& cells = u.entities();
  auto [needs_none, needs_copies] =
      seam::split_by_reach(fluxes.cells2cells, cells.num_owned, cells.num_owned);
  auto const cells2ranks = seam::invert(cells.copies.ranks2entities, cells.num_owned);
  for (seam::local_id const c : needs_none)
    (cells2ranks[c].empty() ? inner_ : leaving_).push_back(c);
  reading_ = std::move(needs_copies);
}

void explicit_steps::go(std::int64_t count) {
  halos_[current_].start();
  for (seam::local_id c = 0; c < values().entities().num_owned; ++c)
    halos_[current_].ready(c);
  for (; count > 0; --count)
    step();
  halos_[current_].wait();
}

void explicit_steps::step() {
  seam::PartitionedMeshHalo &arriving = halos_[current_], &departing = halos_[1 - current_];
  double const* const u = fields_[current_].values().data();
  double* const next = fields_[1 - current_].values().data();
  double const *const volumes = fluxes_.volumes.data(), length = length_;
  double const* const conductances = fluxes_.conductances.data();
  std::int64_t const* const begins = fluxes_.cells2cells.a2ab.data();
  seam::local_id const* const neighbors = fluxes_.cells2cells.ab2b.data();
  auto const compute = [=](seam::local_id c) {
    double inflow = 0;
    for (std::int64_t n = begins[c]; n < begins[c + 1]; ++n)
      inflow += conductances[n] * (u[neighbors[n]] - u[c]);
    next[c] = u[c] + length / volumes[c] * inflow;
  };
  departing.start();
  for_each(leaving_, [=, &departing](seam::local_id c) {
    compute(c);
    departing.ready(c);
  });
  for_each(inner_, compute);
  for_each(reading_, [=, &arriving, &departing](seam::local_id c) {
    for (std::int64_t n = begins[c]; n < begins[c + 1]; ++n)
      arriving.wait_for(neighbors[n]);
    compute(c);
    departing.ready(c);
  });
  arriving.wait();
  current_ = 1 - current_;
}

} // namespace diffuse
