#include <seam/mesh/graphs/partition_mesh.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>

namespace seam {
using namespace detail;

point_set cell_centers(Mesh const& mesh, std::span<double const> weights) {
  point_set centers;
  centers.weights.assign(weights.begin(), weights.end());
  std::array<int, 3> is_used{1, 0, 0};
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const place = mesh.center(mesh.num_dimensions(), c);
    for (int axis = 0; axis < 3; ++axis) {
      centers.coordinates[axis].push_back(place[axis]);
      is_used[axis] |= place[axis] != 0 ? 1 : 0;
    }
    centers.ids.push_back(mesh.cells().ids[c]);
  }
  mpi::allreduce(mesh.base().context(), std::span<int>(is_used), MPI_MAX);
  while (is_used[centers.num_dimensions - 1] == 0)
    centers.coordinates[--centers.num_dimensions].clear();
  return centers;
}

std::vector<int> partition(Mesh const& mesh, int num_parts, partition_method method,
                           std::span<double const> weights) {
  detail::call_scope const here("partition");
  if (method == partition_method::scotch)
    return partition_by_scotch(mesh.base(), dual_graph(mesh), num_parts, weights);
  return partition(mesh.base(), cell_centers(mesh, weights), num_parts, method);
}

} // namespace seam
