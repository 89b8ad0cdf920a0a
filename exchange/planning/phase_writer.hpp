/// The phase writer writes the schedules of message combining.
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <cstdint>
#include <vector>

namespace seam::detail {

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
