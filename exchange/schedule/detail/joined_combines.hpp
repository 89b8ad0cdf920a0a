/// Joined combine steps: where a process combines one block after another, from places at equal
/// distances into places at equal distances, one step with as many rows does so much faster.
///
///     block 0 -> block 1, block 0 -> block 2, ...       a block that arrived once is copied for
///                                                       each edge along which it was sent
///     block 3 + block 0, block 2 + block 0, ...         terms of a sum
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>

namespace seam::detail {

/// Joins combine steps of `plan` that follow each other in a round, each with one row of equal
/// length in the host's memory. Their rows keep their order. Local.
void join_combines(schedule& plan);

} // namespace seam::detail
