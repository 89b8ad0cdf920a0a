/// Task graphs: which tasks have to end before another begins. It follows from the regions of the
/// arrays that the tasks read and write, in the order in which groups of tasks are added:
///
///     group 0   writes A: [ t0 ][ t1 ][ t2 ]      tasks of one group do not wait for each other
///     group 1   reads A   [ t3  ][  t4   ]        t3 waits for t0 and t1, t4 for t1 and t2
///     group 2   writes A: [ t5 ][ t6 ][ t7 ]      t5 waits for t3 and t0, ...
#pragma once

#include <seam/exchange/steps/regions/step_region.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace seam::detail {

/// Built once; local.
class task_graph {
public:
  /// @param num_axes  of the boxes; 1 for lists
  task_graph(int num_arrays, int num_axes) : slowest_(num_axes == 3 ? 0 : 1), past_(num_arrays) {}

  /// Adds a task and returns its number.
  int add() { return num_tasks_++; }

  /// `after` waits for `before`.
  void link(int before, int after) {
    if (before != after)
      links_.emplace_back(before, after);
  }

  /// The task accesses a part of an array; it waits for those tasks of earlier groups that access
  /// some of it too, if one of them writes.
  void access(int task, int array, step_region const& part, bool writes);

  /// The task waits for earlier groups as if it accessed the part, but no later task waits for it.
  void wait_for(int task, int array, step_region const& part, bool writes);

  /// Ends a group.
  /// @param whole  pairs of an array and a region that the group has written as a whole: what tasks
  ///               before have accessed there is of no interest to later ones
  void end_group(std::vector<std::pair<int, step_region>> const& whole = {});

  int num_tasks() const noexcept { return num_tasks_; }

  /// The tasks that wait for each task (a CSR pair), and for how many tasks each one waits.
  struct order {
    std::vector<int> tasks2after, after, num_before;
  };
  order finish();

private:
  struct past_access {
    int task;
    step_region part;
    bool writes;
  };
  /// Accesses that reach over at most 2^n layers of the slowest axis and 2^m of the next one, and all
  /// write or all read.
  struct kind_of_access {
    bool writes;
    std::array<int, 2> lengths; ///< n, m

    auto operator<=>(kind_of_access const&) const = default;
  };
  kind_of_access kind_of(past_access const& access) const;
  void link_to_meeting(std::vector<past_access> const& all, std::array<std::int64_t, 2> const& from,
                       int task, step_region const& part);

  /// The first and the last layers of a region on the slowest two axes.
  std::array<std::int64_t, 2> first_layers(step_region const& part) const {
    return {part.box().lo[slowest_], part.box().lo[slowest_ + 1]};
  }
  std::array<std::int64_t, 2> last_layers(step_region const& part) const {
    return {part.box().hi[slowest_] - 1, part.box().hi[slowest_ + 1] - 1};
  }

  /// Accesses of one array, of each kind in the order of their first layers.
  using past_accesses = std::map<kind_of_access, std::vector<past_access>>;

  int slowest_; ///< axis
  int num_tasks_ = 0;
  std::vector<past_accesses> past_;               ///< [arrays]
  std::vector<std::vector<past_access>> present_; ///< [arrays]
  std::vector<std::pair<int, int>> links_;
};

} // namespace seam::detail
