/// Scans and reduce-scatters of counts beyond MPI's int, chunk by chunk:
///
///     rank 0    send chunk 0    send chunk 1                    ...
///     rank 1                    combine, send chunk 0           combine, send chunk 1
///
/// Scratch memory does not grow with the user's buffers, except where a copy is kept as said below.
#pragma once

#include <seam/exchange/planning/detail/edges.hpp>

#include <cstdint>
#include <vector>

namespace seam::detail {

/// The values of a chunked reduction, and the operation that combines them.
struct chunked_terms {
  elements send, receive; ///< `send` may be MPI_IN_PLACE
  MPI_Op op = MPI_OP_NULL;
  std::int64_t chunk_bytes = std::int64_t{1} << 26; ///< length of a chunk [bytes]
};

/// Plans one process's part in an inclusive or exclusive scan: each process sends a combined chunk
/// to the next rank while the next chunk arrives. An exclusive scan needs scratch memory for a copy
/// of its values. Local.
///
/// @param over  edges of a complete communicator
schedule chunked_scan(collective_edges const& over, chunked_terms const& terms, bool exclusive);

/// Plans one process's part in a reduce-scatter: each process sends the blocks of the others to
/// them, and combines its own. In place it needs scratch memory for a copy of the result. Local.
///
/// @param over    edges of a complete communicator
/// @param counts  [num_peers] elements of the block of each rank
schedule chunked_reduce_scatter(collective_edges const& over, chunked_terms const& terms,
                                std::vector<std::int64_t> const& counts);

/// Plans one process's part in a reduce-scatter of equal blocks between two sides: each process sends
/// a block of its values to each of its peers, and combines those that they send. Local.
///
/// @param over  a bipartite communicator
/// @throws usage_error  the values are not equal blocks for all peers
schedule chunked_reduce_scatter_between(Communicator const& over, chunked_terms const& terms);

/// As above, with blocks whose lengths are known on one side only: each process sends all of its
/// values to each of its peers, which combine their block.
///
/// @param counts  [size of this side] elements of the blocks of this side
schedule chunked_reduce_scatter_between(Communicator const& over, chunked_terms const& terms,
                                        std::vector<std::int64_t> const& counts);

} // namespace seam::detail
