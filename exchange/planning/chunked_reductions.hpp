/// Scans and reduce-scatters of any length as schedules: chunk by chunk, so that what they need
/// beside the user's buffers does not grow with them. For counts that MPI's calls cannot take.
#pragma once

#include <seam/exchange/planning/detail/edges.hpp>

#include <cstdint>
#include <vector>

namespace seam {

/// What a chunked reduction combines, and how.
struct chunked_terms {
  elements send, receive; ///< `send` may be MPI_IN_PLACE
  MPI_Op op = MPI_OP_NULL;
  std::int64_t chunk_bytes = std::int64_t{1} << 26; ///< combined at a time
};

/// One process's part in a scan, or an exclusive one: each passes on what it has combined to the
/// next rank, while the next chunk arrives. Exclusively, a copy of what is passed on is kept.
/// `over` is complete. Local.
schedule chunked_scan(collective_edges const& over, chunked_terms const& terms, bool exclusive);

/// One process's part in a reduce-scatter of blocks of counts[r] elements at rank r: each sends the
/// blocks of the others to them, and combines its own. In place, a copy of the result is kept.
/// `over` is complete. Local.
schedule chunked_reduce_scatter(collective_edges const& over, chunked_terms const& terms,
                                std::vector<std::int64_t> const& counts);

} // namespace seam
