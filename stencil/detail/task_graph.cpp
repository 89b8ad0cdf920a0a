#include <seam/stencil/detail/task_graph.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

template <int D>
bool overlap(box<D> const& first, box<D> const& second) {
  for (std::size_t a = 0; a < first.lo.size(); ++a)
    if (first.lo[a] >= second.hi[a] || second.lo[a] >= first.hi[a])
      return false;
  return true;
}

} // namespace

template <int D>
void task_graph<D>::wait_for(int task, int array, box<D> const& part, bool writes) {
  for (past_access const& before : past_[static_cast<std::size_t>(array)])
    if ((writes || before.writes) && overlap(before.part, part))
      link(before.task, task);
}

template <int D>
void task_graph<D>::access(int task, int array, box<D> const& part, bool writes) {
  if (part.is_empty())
    return;
  wait_for(task, array, part, writes);
  present_.resize(past_.size());
  present_[static_cast<std::size_t>(array)].push_back({task, part, writes});
}

template <int D>
void task_graph<D>::end_group(std::vector<std::pair<int, box<D>>> const& whole) {
  for (auto const& [array, written] : whole)
    std::erase_if(past_[static_cast<std::size_t>(array)], [&](past_access const& before) {
      return intersection(before.part, written) == before.part;
    });
  for (std::size_t a = 0; a < present_.size(); ++a) {
    past_[a].insert(past_[a].end(), present_[a].begin(), present_[a].end());
    present_[a].clear();
  }
}

template <int D>
auto task_graph<D>::finish() -> order {
  std::ranges::sort(links_);
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  order made;
  made.tasks2after.assign(static_cast<std::size_t>(num_tasks_) + 1, 0);
  made.num_before.assign(static_cast<std::size_t>(num_tasks_), 0);
  for (auto const& [before, after] : links_) {
    ++made.tasks2after[static_cast<std::size_t>(before) + 1];
    ++made.num_before[static_cast<std::size_t>(after)];
    made.after.push_back(after);
  }
  for (std::size_t t = 0; t + 1 < made.tasks2after.size(); ++t)
    made.tasks2after[t + 1] += made.tasks2after[t];
  return made;
}

template class task_graph<1>;
template class task_graph<2>;
template class task_graph<3>;

} // namespace seam::detail
