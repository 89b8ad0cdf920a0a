/// Moments: which supplies of a dataflow travel together.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <vector>

namespace seam::detail {

/// Groups the supplies of a flow that may travel: before the first instance that needs one of them, all
/// that are there. The same on all ranks.
/// Local.
std::vector<step_moment> moments_of(step_dataflow const& flow, step_range const& steps);

} // namespace seam::detail
