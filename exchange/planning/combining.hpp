/// Message combining: alltoall and allgather on Cartesian graphs with a few messages for each
/// dimension, blocks travelling along one dimension after the other.
///
///     Moore neighborhood in 3D: 26 messages straight to the neighbors, or 6 combined ones
///
/// Source: J. L. Traeff, S. Hunold: Cartesian collective communication, ICPP 2019, as referred to
/// in [Traeff2021] sec. 3.2; extended to dimensions that are not periodic. There programs
/// promise that blocks along a vector are equally long everywhere; here processes find out
/// (vector_bytes.hpp).
#pragma once

#include <seam/exchange/communicator/cartesian_structure.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <vector>

namespace seam {

/// What an exchange on a Cartesian graph costs one process in its middle.
struct exchange_counts {
  int messages = 0;        ///< sent
  std::int64_t volume = 0; ///< sent [blocks], or [bytes] if these differ
  std::int64_t copied = 0; ///< of what arrived once and is wanted several times, as above

  friend bool operator==(exchange_counts const&, exchange_counts const&) = default;
};

/// One message with one block for each vector that leads to another process; short blocks share one
/// where vectors lead to the same process, on grids that are no longer than they reach. Local.
exchange_counts direct_counts(cartesian_structure const& on);
/// The same for blocks of these lengths; those without bytes are not sent. [bytes]
exchange_counts direct_counts(cartesian_structure const& on, vector_bytes const& bytes);
/// The same for blocks that do not differ (allgather): one for each process.
exchange_counts direct_allgather_counts(cartesian_structure const& on);

/// By combined messages, for blocks that differ (alltoall) and that do not (allgather). Local.
exchange_counts combined_alltoall_counts(cartesian_structure const& on);
exchange_counts combined_allgather_counts(cartesian_structure const& on);
/// By combined messages, for blocks of these lengths. [bytes]
exchange_counts combined_alltoall_counts(cartesian_structure const& on, vector_bytes const& bytes);

/// False if there are no fewer messages when they are combined, as for faces alone. Local.
bool can_combine(cartesian_structure const& on);

/// True if, by the structure's network model, `combined` takes less time than `direct` for blocks
/// of this length; 1 if volumes are in bytes. Combined blocks are packed and unpacked at every hop,
/// which counts as a multiple of the time on the way. [bytes] Local.
bool combining_pays(cartesian_structure const& on, exchange_counts const& direct,
                    exchange_counts const& combined, std::int64_t block_bytes);

/// One process's schedule of an alltoall: block e of `sends` goes along destination e, block e of
/// `receives` comes along source e; each has the bytes of its vector.
/// @param sends        [destinations2vectors.size()]
/// @param receives     [sources2vectors.size()]
/// @param overlapping  they share memory: what is sent is put aside first
/// Local. Cost: one round for each dimension in which vectors are not 0.
schedule make_combined_alltoall(cartesian_structure const& on, vector_bytes const& bytes,
                                std::vector<elements> const& sends,
                                std::vector<elements> const& receives, bool overlapping = false);

/// The same of an allgather: `send` goes along all destinations, and all blocks are of one length.
/// A process that sends nothing, and receives nothing, passes on those of others.
schedule make_combined_allgather(cartesian_structure const& on, std::int64_t block_bytes,
                                 elements const& send, std::vector<elements> const& receives);

} // namespace seam
