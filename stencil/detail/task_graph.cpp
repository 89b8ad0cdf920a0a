#include <seam/stencil/detail/task_graph.hpp>

#include <algorithm>
#include <bit>

namespace seam::detail {
namespace {

template <int D>
bool overlap(box<D> const& first, box<D> const& second) {
  for (int a = 0; a < D; ++a)
    if (first.lo[a] >= second.hi[a] || second.lo[a] >= first.hi[a])
      return false;
  return true;
}

/// The n for which a box reaches over at most 2^n layers of axis 0, and more than half as many.
template <int D>
int length_of(box<D> const& part) {
  return std::bit_width(static_cast<std::uint64_t>(part.extent(0) - 1));
}

} // namespace

template <int D>
void task_graph<D>::wait_for(int task, int array, box<D> const& part, bool writes) {
  for (auto const& [length, all] : past_[array]) {
    auto const first_layer = [](past_access const& before) { return before.part.lo[0]; };
    std::int64_t const first = part.lo[0] - (std::int64_t{1} << length) + 1;
    for (auto before = std::ranges::lower_bound(all, first, {}, first_layer);
         before != all.end() && first_layer(*before) < part.hi[0]; ++before)
      if ((writes || before->writes) && overlap(before->part, part))
        link(before->task, task);
  }
}

template <int D>
void task_graph<D>::access(int task, int array, box<D> const& part, bool writes) {
  if (part.is_empty())
    return;
  wait_for(task, array, part, writes);
  present_.resize(past_.size());
  present_[array].push_back({task, part, writes});
}

template <int D>
void task_graph<D>::end_group(std::vector<std::pair<int, box<D>>> const& whole) {
  for (std::pair<int, box<D>> const& written : whole)
    for (auto& [length, all] : past_[written.first])
      std::erase_if(all, [&](past_access const& before) {
        return intersection(before.part, written.second) == before.part;
      });
  for (int array = 0; array < std::ssize(present_); ++array) {
    if (present_[array].empty())
      continue;
    for (past_access const& access : present_[array])
      past_[array][length_of(access.part)].push_back(access);
    for (auto& [length, all] : past_[array])
      std::ranges::sort(all, {}, [](past_access const& before) {
        return std::pair(before.part.lo[0], before.task);
      });
    present_[array].clear();
  }
}

template <int D>
auto task_graph<D>::finish() -> order {
  std::ranges::sort(links_);
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  order made;
  made.tasks2after.assign(num_tasks_ + 1, 0);
  made.num_before.assign(num_tasks_, 0);
  for (auto const& [before, after] : links_) {
    ++made.tasks2after[before + 1];
    ++made.num_before[after];
    made.after.push_back(after);
  }
  for (int t = 0; t + 1 < std::ssize(made.tasks2after); ++t)
    made.tasks2after[t + 1] += made.tasks2after[t];
  return made;
}

template class task_graph<1>;
template class task_graph<2>;
template class task_graph<3>;

} // namespace seam::detail
