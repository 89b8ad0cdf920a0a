#include <seam/exchange/steps/flow/task_graph.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace seam::detail {

auto task_graph::kind_of(past_access const& access) const -> kind_of_access {
  auto const first = first_layers(access.part), last = last_layers(access.part);
  auto const length = [&](int a) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last[a] - first[a])));
  };
  return {access.writes, {length(0), length(1)}};
}

void task_graph::wait_for(int task, int array, step_region const& part, bool writes) {
  for (auto const& [kind, all] : past_[array]) {
    if (!writes && !kind.writes)
      continue;
    auto from = first_layers(part); // of accesses that may reach the part
    for (int a = 0; a < 2; ++a)
      from[a] -= (std::int64_t{1} << kind.lengths[a]) - 1;
    link_to_meeting(all, from, task, part);
  }
}

/// Links a task to those of `all` that access some of a part.
/// @param from  the first layers of those that may
void task_graph::link_to_meeting(std::vector<past_access> const& all,
                                 std::array<std::int64_t, 2> const& from, int task,
                                 step_region const& part) {
  auto const layers_of = [&](past_access const& before) { return first_layers(before.part); };
  auto const last = last_layers(part);
  auto const begin_of = [&](auto first, std::int64_t layer) {
    return std::lower_bound(first, all.end(), std::array{layer, from[1]},
                            [&](past_access const& before, std::array<std::int64_t, 2> const& at) {
                              return layers_of(before) < at;
                            });
  };
  auto before = begin_of(all.begin(), from[0]);
  while (before != all.end() && layers_of(*before)[0] <= last[0]) {
    auto const [layer, beside] = layers_of(*before);
    if (beside > last[1])
      before = begin_of(before, layer + 1);
    else if (beside < from[1])
      before = begin_of(before, layer);
    else {
      if (meets(before->part, part))
        link(before->task, task);
      ++before;
    }
  }
}

void task_graph::access(int task, int array, step_region const& part, bool writes) {
  if (part.is_empty())
    return;
  wait_for(task, array, part, writes);
  present_.resize(past_.size());
  present_[array].push_back({task, part, writes});
}

void task_graph::end_group(std::vector<std::pair<int, step_region>> const& whole) {
  for (std::pair<int, step_region> const& written : whole)
    for (auto& [kind, all] : past_[written.first])
      std::erase_if(all, [&, last = last_layers(written.second)](past_access const& before) {
        return last_layers(before.part)[1] <= last[1] && holds(written.second, before.part);
      });
  for (int array = 0; array < std::ssize(present_); ++array) {
    if (present_[array].empty())
      continue;
    auto const is_before = [&](past_access const& first, past_access const& second) {
      return std::pair(first_layers(first.part), first.task) <
             std::pair(first_layers(second.part), second.task);
    };
    past_accesses added;
    for (past_access const& access : present_[array])
      added[kind_of(access)].push_back(access);
    for (auto& [kind, present] : added) {
      std::ranges::sort(present, is_before);
      auto& all = past_[array][kind];
      auto const middle = std::ssize(all);
      all.insert(all.end(), present.begin(), present.end());
      std::inplace_merge(all.begin(), all.begin() + middle, all.end(), is_before);
    }
    present_[array].clear();
  }
}

auto task_graph::finish() -> order {
  order made;
  made.tasks2after.assign(num_tasks_ + 1, 0);
  made.num_before.assign(num_tasks_, 0);
  // Links in the order of the tasks before, and for each of these in that of the tasks after.
  std::vector<int> begins(num_tasks_ + 1), all(links_.size());
  for (auto const& [before, after] : links_)
    ++begins[before + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  auto next = begins;
  for (auto const& [before, after] : links_)
    all[next[before]++] = after;
  for (int before = 0; before < num_tasks_; ++before) {
    auto const first = all.begin() + begins[before], last = all.begin() + begins[before + 1];
    std::sort(first, last);
    std::for_each(first, std::unique(first, last), [&](int after) {
      made.after.push_back(after);
      ++made.num_before[after];
    });
    made.tasks2after[before + 1] = static_cast<int>(made.after.size());
  }
  return made;
}

} // namespace seam::detail
