/// Makes partitioned reductions of the plans of their pipelines.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/pipelines.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace seam::detail {

/// Makes the operation of one pipeline plan, or of one for each destination.
class reduction_maker {
public:
  /// Returns the part that stands for the part of the plan that has been added k-th.
  using wrapper = std::function<std::unique_ptr<part>(int k, std::unique_ptr<part> made)>;

  reduction_maker(Communicator const& over, char const* name);

  /// @param edge  of the partitions that leave
  void add(pipeline_plan plan, int edge);

  /// Makes the operation, whose parts are what `wrap` returns for those of the plans. Collective.
  partitioned_operation finish(wrapper const& wrap);
  partitioned_operation finish();

private:
  void draw_tags();

  Communicator const& over_;
  schedule tokens_;
  std::vector<pipeline_plan> plans_;
  std::vector<int> edges_; ///< [plans]
  partitioned_parts made_;
};

/// The operation of one pipeline plan, whose partitions are for all edges. Collective.
partitioned_operation make_reduction(Communicator const& over, char const* name,
                                     pipeline_plan plan);

} // namespace seam::detail
