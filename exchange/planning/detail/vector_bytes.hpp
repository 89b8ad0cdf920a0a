/// Vector bytes: when an operation is prepared, all processes compare whether blocks along the same
/// vector of a Cartesian graph are equally long on all of them.
///
/// Source: J. L. Traeff, S. Hunold: Cartesian collective communication, ICPP 2019, where programs
/// promise that they are (Cart_alltoallv, Cart_alltoallw).
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace seam::detail {

/// Bytes along each vector of a structure, the same at all processes. [vectors.size()]
using vector_bytes = std::vector<std::int64_t>;

/// Bytes along each edge of one process.
struct edge_bytes {
  std::vector<std::int64_t> leaving;  ///< [destinations]
  std::vector<std::int64_t> arriving; ///< [sources]
};

/// Returns the bytes along each vector of `on` if both ends of all edges on all processes have the
/// same, otherwise nothing. At borders of the grid processes also get the bytes of vectors along
/// which they have no edge.
///
/// @param own  bytes of this process's edges; nothing if its arguments are impossible
/// Collective: over `over`; the result is the same on all ranks.
/// Cost: one allreduce of two numbers for each vector.
std::optional<vector_bytes> agree_on_bytes(mpi::comm_view over, cartesian_structure const& on,
                                           std::optional<edge_bytes> const& own);

} // namespace seam::detail
