/// Pipelines: reductions partition by partition, each from the time when it is ready on all ranks.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// The schedules of one reduction. The k-th reduces piece k of the buffers; its gate 0 opens when
/// the partition in which the piece lies is ready.
struct pipeline_plan {
  std::vector<schedule> pieces;
  std::vector<reduction_tags> tags{}; ///< [pieces] of their messages; all ranks draw the same
  std::vector<int> partitions2pieces; ///< partition p has pieces [p], ..., [p + 1] - 1
  bool has_result = true;             ///< partitions arrive at this process
  bool has_values = true;             ///< partitions leave this process
};

/// Makes the parts of a reduction of several plans, such as one for each block, plan by plan.
///
/// @param plans  with tags for each piece
/// Collective: over `over`. The number of collective calls does not depend on that of pieces.
std::vector<std::unique_ptr<part>> make_pipelines(Communicator const& over,
                                                  std::vector<pipeline_plan> plans);

/// Makes the part that carries out MPIX_Pbuf_prepare for a reduction: it runs `tokens`, whose
/// messages say that buffers are ready. Local.
std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens,
                                     reduction_tags const& tags);

} // namespace seam::detail
