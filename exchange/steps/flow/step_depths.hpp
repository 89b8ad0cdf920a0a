/// Depths of fusion: how many steps may go without messages between them, and the ranges of steps
/// that stand for all that are run.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_program.hpp>

#include <string>
#include <vector>

namespace seam::detail {

/// Depths among which measurement decides. The same on all ranks.
struct tried_depths {
  std::vector<int> depths{1};
  std::string refused; ///< a line for each other one, with the reason
};

/// The depths at which no rank computes many values of others; only 1 if that can gain nothing.
/// @param layouts, order  as of step_dataflow
/// @throws usage_error  a kernel reads farther beyond a border than the domain is thick (on all ranks)
/// Collective: over the grid.
tried_depths find_depths(step_program const& program, step_space const& space,
                         std::vector<int> const& layouts, buffer_order const& order);

/// @param fused_steps  between messages; 1: none are fused
/// @throws usage_error  more than 1024 steps are fused, or steps in which blocks take turns
/// Local.
void check_fusion(step_program const& program, int fused_steps);

/// The steps after which the same kernels run again, or a number above longest_period if these are more.
/// Local.
std::int64_t period_of(step_program const& program);

/// The longest period of steps that are fused: their plans hold for all steps of one.
inline constexpr std::int64_t longest_period = 4096;

/// One step with all kernels, and for each depth of fusion one range for each pattern of kernels
/// that run now and then.
/// Local.
std::vector<step_range> ranges_to_run(step_program const& program, std::vector<int> const& depths);

} // namespace seam::detail
