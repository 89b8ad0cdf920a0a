/// A reduction that cannot be carried out.
#pragma once

#include <seam/exchange/partitioned/reduction_rounds.hpp>

#include <atomic>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

namespace seam::testing {

/// How often the reduction has been tried, and the rank that has tried it last.
struct failing_reduction {
  std::atomic<int> trials = 0;
  std::atomic<std::thread::id> last{};

  /// The schedule of one process alone that copies `in` to `out`, and throws. This object must
  /// outlive it.
  detail::schedule plan(std::vector<std::int64_t> const& in, std::vector<std::int64_t>& out) {
    detail::schedule steps =
        detail::allreduce_rounds({.own = {in.data(), std::ssize(in), MPI_INT64_T},
                                  .result = {out.data(), std::ssize(out), MPI_INT64_T},
                                  .op = MPI_SUM});
    auto const fail = [](void const* context, std::byte*, std::byte const*, std::int64_t) {
      auto* const self = static_cast<failing_reduction*>(const_cast<void*>(context));
      self->last = std::this_thread::get_id();
      ++self->trials;
      throw std::runtime_error("values that cannot be added");
    };
    std::shared_ptr<void const> const context(std::shared_ptr<void>(), this);
    for (detail::combine_step const& step : steps.combines)
      for (int t = step.targets.begin; t < step.targets.end; ++t)
        steps.targets[std::size_t(t)].combine = detail::combiner(fail, context);
    return steps;
  }
};

} // namespace seam::testing
