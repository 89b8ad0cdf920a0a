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

explicit_steps::explicit_steps(seam::two_point_fluxes const& fluxes,
                               seam::MeshField<double> const& u, double length)
    : fluxes_(fluxes),
      fields_{u, seam::MeshField<double>(u.mesh(), u.name(), u.dimension())},
      halos_{seam::make_halo(fields_[0]), seam::make_halo(fields_[1])},
      cells_(seam::split_by_reach(fluxes.cells2cells, u.entities().num_owned,
                                  u.entities().num_owned)),
      length_(length) {}

void explicit_steps::go(std::int64_t count) {
  for (; count > 0; --count) {
    auto flying = halos_[current_].start();
    compute(cells_.inner);
    flying.wait();
    compute(cells_.rim);
    current_ = 1 - current_;
  }
}

void explicit_steps::compute(std::vector<seam::local_id> const& cells) const {
  double const* const u = fields_[current_].values().data();
  double* const next = fields_[1 - current_].values().data();
  double const *const volumes = fluxes_.volumes.data(), length = length_;
  double const* const conductances = fluxes_.conductances.data();
  std::int64_t const* const begins = fluxes_.cells2cells.a2ab.data();
  seam::local_id const* const neighbors = fluxes_.cells2cells.ab2b.data();
  seam::local_id const* const which = cells.data();
  using policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>;
  Kokkos::parallel_for("diffuse", policy(0, std::ssize(cells)), [=](std::int64_t k) {
    auto const c = static_cast<std::size_t>(which[k]);
    double inflow = 0;
    for (std::int64_t n = begins[c]; n < begins[c + 1]; ++n)
      inflow += conductances[n] * (u[neighbors[n]] - u[c]);
    next[c] = u[c] + length / volumes[c] * inflow;
  });
  policy::execution_space().fence();
}

} // namespace diffuse
