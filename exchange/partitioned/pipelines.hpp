/// Pipelines: reductions partition by partition, each on its way as soon as it is ready everywhere.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <memory>
#include <vector>

namespace seam {

/// The schedules of one reduction: piece k of the buffers is reduced by the k-th, whose gate 0 is
/// opened when the partition that it lies in is ready.
struct pipeline_plan {
  std::vector<schedule> pieces;
  std::vector<reduction_tags> tags{}; ///< [pieces] of their messages, drawn by all ranks alike
  std::vector<int> partitions2pieces; ///< of partition p: [p], ..., [p + 1] - 1
  bool has_result = true;             ///< of this process: partitions arrive here
  bool has_values = true;             ///< of this process: partitions leave here
};

/// The parts of a reduction of several plans, such as one for each block, plan by plan.
///
/// @param plans  with tags for each piece
/// Collective: over `over`. The number of collective calls does not depend on that of pieces.
std::vector<std::unique_ptr<part>> make_pipelines(Communicator const& over,
                                                  std::vector<pipeline_plan> plans);

/// What pbuf_prepare does for a reduction: runs `tokens`, whose messages mean that buffers are
/// ready. Local.
std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens,
                                     reduction_tags const& tags);

} // namespace seam
