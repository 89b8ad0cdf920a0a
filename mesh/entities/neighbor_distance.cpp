#include <seam/mesh/entities/mesh_parts.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/explanations.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace seam::detail {
namespace {

/// Neighbors among own cells, and the sum of the differences of their places.
struct distances {
  std::int64_t count = 0, sum = 0;
};

distances distances_of(mesh_parts const& parts) {
  int const d = parts.num_dimensions - 1;
  distances found;
  adjacency const sides2cells = invert(parts.cells2parts[d], parts.entities[d].num_local());
  for (local_id side = 0; side < sides2cells.num_rows(); ++side) {
    auto const both = sides2cells[side];
    if (both.size() == 2 && parts.cells().is_owned(both[0]) && parts.cells().is_owned(both[1])) {
      ++found.count;
      found.sum += std::abs(both[0] - both[1]);
    }
  }
  return found;
}

} // namespace

void explain_neighbors(Communicator const& over, mesh_parts const& parts) {
  constexpr std::int64_t fewest = 4096; ///< cells of a rank whose order is worth a warning
  constexpr double far = 4;             ///< times the distance of sorted cells
  mpi::comm_view const all = over.context();
  if (largest_of_all(all, explanations_are_on() ? 1 : 0) == 0)
    return;
  distances const own = distances_of(parts);
  auto const count = mpi::allreduce(all, own.count, MPI_SUM);
  auto const sum = mpi::allreduce(all, own.sum, MPI_SUM);
  if (count == 0)
    return;
  double const mean = static_cast<double>(sum) / static_cast<double>(count);
  std::int64_t const cells = parts.cells().num_global / over.size();
  double const sorted =
      std::pow(cells, 1 - 1.0 / parts.num_dimensions); // a cut through a cube of cells
  bool const is_far = cells >= fewest && mean > far * sorted;
  explain(all, [&] {
    return fmt::format("mesh: {} cells; neighbors lie {:.0f} cells apart in memory{}\n",
                       parts.cells().num_global, mean,
                       is_far ? fmt::format(", sorted about {:.0f}: seam::divided() would make "
                                            "loops over them faster",
                                            sorted)
                              : "");
  });
}

} // namespace seam::detail
