/// Vector bytes: whether blocks along the same vector of a Cartesian graph are equally long at all
/// processes, which these find out together when an operation is prepared.
///
/// Source: J. L. Traeff, S. Hunold: Cartesian collective communication, ICPP 2019, where programs
/// promise it (Cart_alltoallv, Cart_alltoallw).
#pragma once

#include <seam/exchange/communicator/cartesian_structure.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace seam {

/// Bytes along each vector of a structure, the same at all processes. [vectors.size()]
using vector_bytes = std::vector<std::int64_t>;

/// Bytes along each edge of one process.
struct edge_bytes {
  std::vector<std::int64_t> leaving;  ///< [destinations]
  std::vector<std::int64_t> arriving; ///< [sources]
};

/// The bytes along each vector of `on` if both ends of all its edges at all processes say the same,
/// otherwise nothing. Where the grid ends, processes learn what vectors without an edge carry.
///
/// @param mine  of this process's edges; nothing if it cannot say
/// Collective: over `over`; the same on all ranks. Cost: one allreduce of two numbers for each
/// vector.
std::optional<vector_bytes> agree_on_bytes(mpi::comm_view over, cartesian_structure const& on,
                                           std::optional<edge_bytes> const& mine);

} // namespace seam
