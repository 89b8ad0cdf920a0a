/// Pipelines: reductions partition by partition, each on its way as soon as it is ready everywhere.
#pragma once

#include <seam/exchange/communicator.hpp>
#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/part.hpp>
#include <seam/exchange/schedule.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace seam {

/// The schedules of one reduction: piece k of the buffers is reduced by the k-th, whose gate 0 is
/// opened when the partition that it lies in is ready.
struct pipeline_plan {
  std::vector<schedule> pieces;
  std::vector<int> partitions2pieces; ///< of partition p: [p], ..., [p + 1] - 1
  bool has_result = true;             ///< of this process: partitions arrive here
  bool has_values = true;             ///< of this process: partitions leave here
};

/// @param num_tags  for each piece, the same on all ranks, from `first_tag` on
/// Collective: over `over`.
std::unique_ptr<part> make_pipelines(Communicator const& over, pipeline_plan plan, int first_tag,
                                     int num_tags);

/// What pbuf_prepare does for a reduction: runs `tokens`, whose messages mean that buffers are
/// ready. Local.
std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens, int first_tag);

} // namespace seam
