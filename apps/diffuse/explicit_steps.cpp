#include "explicit_steps.hpp"

#include <Kokkos_Core.hpp>

namespace diffuse {

explicit_steps::explicit_steps(finite_volumes const& volumes, seam::MeshField<double> const& u,
                               double length)
    : volumes_(volumes),
      fields_{u, seam::MeshField<double>(u.mesh(), u.name(), u.dimension())},
      halos_{seam::make_halo(fields_[0]), seam::make_halo(fields_[1])},
      cells_(seam::split_by_reach(volumes.cells2neighbors, u.entities().num_owned,
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
  double const *const volumes = volumes_.volumes.data(), length = length_;
  double const* const conductances = volumes_.conductances.data();
  std::int64_t const* const begins = volumes_.cells2neighbors.a2ab.data();
  seam::local_id const* const neighbors = volumes_.cells2neighbors.ab2b.data();
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
