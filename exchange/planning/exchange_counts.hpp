/// Counts of the messages and bytes of exchanges on Cartesian graphs, direct and combined
/// (combining.hpp), by which the planner chooses between the two.
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>

#include <cstdint>

namespace seam::detail {

/// Messages and data of one process in an exchange, if it lies in the middle of a Cartesian graph.
struct exchange_counts {
  int messages = 0;        ///< sent
  std::int64_t volume = 0; ///< sent [blocks], or [bytes] if these differ
  std::int64_t copied = 0; ///< copies of blocks that arrive once for several edges, unit as above

  friend bool operator==(exchange_counts const&, exchange_counts const&) = default;
};

/// Counts direct messages of an alltoall: one with one block for each vector that leads to another
/// process. Short blocks share a message if their vectors lead to the same process, as they do on
/// grids that are no longer than the vectors reach. Local.
exchange_counts direct_counts(cartesian_structure const& on);
/// Counts direct messages for blocks of these lengths; blocks without bytes are not sent. [bytes]
exchange_counts direct_counts(cartesian_structure const& on, vector_bytes const& bytes);
/// Counts direct messages of an allgather, whose blocks are equal: one for each process.
exchange_counts direct_allgather_counts(cartesian_structure const& on);

/// Counts combined messages of an alltoall, and of an allgather. Local.
exchange_counts combined_alltoall_counts(cartesian_structure const& on);
exchange_counts combined_allgather_counts(cartesian_structure const& on);
/// Counts combined messages of an alltoall with blocks of these lengths. [bytes]
exchange_counts combined_alltoall_counts(cartesian_structure const& on, vector_bytes const& bytes);

/// True if combining makes fewer messages; for faces only, it does not. Local.
bool can_combine(cartesian_structure const& on);

/// True if `combined` has fewer messages and, by the structure's network model, takes less time than
/// `direct`. Combined blocks are packed and unpacked at every hop, which multiplies the cost of their
/// bytes. Local.
///
/// @param block_bytes  length of all blocks; 1 if the counts' volumes are in bytes [bytes]
bool combining_pays(cartesian_structure const& on, exchange_counts const& direct,
                    exchange_counts const& combined, std::int64_t block_bytes);

} // namespace seam::detail
