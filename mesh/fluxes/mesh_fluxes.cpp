#include <seam/mesh/fluxes/mesh_fluxes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam {
using namespace detail;

double longest_step(mpi::comm_view over, mesh_fluxes const& fluxes) {
  detail::call_scope const here("longest_step");
  double longest = std::numeric_limits<double>::infinity();
  for (local_id row = 0; row < std::ssize(fluxes.volumes); ++row) {
    double sum = 0, sizes = 0;
    for (auto n = fluxes.neighbors.a2ab[row]; n < fluxes.neighbors.a2ab[row + 1]; ++n) {
      double const conductance = fluxes.conductances[n];
      sum += conductance;
      sizes += std::abs(conductance);
    }
    if (sizes > 0)
      longest = std::min(longest, fluxes.volumes[row] / (0.5 * (std::abs(sum) + sizes)));
  }
  return mpi::allreduce(over, longest, MPI_MIN);
}

void detail::require_vertex_layer(Mesh const& mesh) {
  auto const [depth, through] = mesh.ghosts();
  if (depth < 1 || through != 0)
    refuse(
        fmt::format("fluxes: {} layers of ghost cells through entities of dimension {} (expected "
                    "at least 1 through vertices, 0)",
                    depth, through));
}

} // namespace seam
