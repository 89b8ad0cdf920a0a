/// Message combining: alltoall and allgather on Cartesian graphs with a few messages for each
/// dimension; blocks travel along one dimension after the other.
///
///     Moore neighborhood in 3D: 26 messages straight to the neighbors, or 6 combined ones
///
/// Source: J. L. Traeff, S. Hunold: Cartesian collective communication, ICPP 2019, as referred to
/// in [Traeff2021] sec. 3.2; extended to dimensions that are not periodic. There programs promise
/// that blocks along a vector are equally long; here the ranks compare them (vector_bytes.hpp).
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>
#include <seam/exchange/planning/exchange_counts.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <vector>

namespace seam::detail {

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
