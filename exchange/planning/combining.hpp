/// Message combining: alltoall and allgather on Cartesian graphs with a few messages for each
/// dimension; blocks travel along one dimension after the other.
///
///     Moore neighborhood in 3D: 26 messages straight to the neighbors, or 6 combined ones
///
/// Source: J. L. Traeff, S. Hunold: Cartesian collective communication, ICPP 2019, as referred to
/// in [Traeff2021] sec. 3.2; extended to dimensions that are not periodic. There programs promise
/// that blocks along a vector are equally long; here the ranks compare them (vector_bytes.hpp).
#pragma once

#include <seam/exchange/communicator/cartesian_structure.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <vector>

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

/// True if combining makes fewer messages; it does not for faces alone. Local.
bool can_combine(cartesian_structure const& on);

/// True if, by the structure's network model, `combined` takes less time than `direct`. Combined
/// blocks are packed and unpacked at every hop, which multiplies the cost of their bytes. Local.
///
/// @param block_bytes  length of all blocks; 1 if the counts' volumes are in bytes [bytes]
bool combining_pays(cartesian_structure const& on, exchange_counts const& direct,
                    exchange_counts const& combined, std::int64_t block_bytes);

/// Plans one process's part in an alltoall of combined messages.
///
/// @param bytes        [vectors.size()] of each vector's block
/// @param sends        [destinations2vectors.size()] block e is sent along destination e
/// @param receives     [sources2vectors.size()] block e is received along source e
/// @param overlapping  `sends` and `receives` share memory: `sends` are copied first
/// Local. Cost: one round for each dimension in which vectors are not 0.
schedule make_combined_alltoall(cartesian_structure const& on, vector_bytes const& bytes,
                                std::vector<elements> const& sends,
                                std::vector<elements> const& receives, bool overlapping = false);

/// Plans one process's part in an allgather of combined messages. A process without edges still
/// forwards blocks of others. Cost as above.
///
/// @param block_bytes  length of all blocks [bytes]
/// @param send         is sent along all destinations
/// @param receives     [sources2vectors.size()]
/// Local.
schedule make_combined_allgather(cartesian_structure const& on, std::int64_t block_bytes,
                                 elements const& send, std::vector<elements> const& receives);

} // namespace seam::detail
