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
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <cstdint>
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

/// Writes schedules whose rounds are phases; in a phase all messages go along one dimension.
class phase_writer : private schedule_writer {
public:
  explicit phase_writer(cartesian_structure const& on);

  void begin_phase() { ++plan_.num_rounds; }

  /// Sends `blocks` in one message of the phase to the process `length` further along a dimension.
  void send(int dimension, int length, std::vector<block> const& blocks);

  /// Receives `blocks` in one message of the phase from the process `length` back in a dimension.
  void receive(int dimension, int length, std::vector<block> const& blocks);

  /// Copies blocks inside this process during the phase.
  void copy(std::vector<block> from, std::vector<block> into);

  /// Memory for a block that this process forwards.
  block scratch_block(std::int64_t bytes);

  schedule finish();

private:
  int round() const { return plan_.num_rounds - 1; }
  int rank_at_distance(int dimension, int length) const;
  wire_span wire(std::vector<block> const& blocks);

  cartesian_structure const& on_;
};

/// Adds `more` at the end of `all`.
void append_blocks(std::vector<block>& all, std::vector<block> const& more);

} // namespace seam::detail
