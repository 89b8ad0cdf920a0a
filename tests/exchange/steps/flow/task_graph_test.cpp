// Task graphs of random boxes: tasks wait for those, and only those, that a comparison of all pairs says.
#include <seam/exchange/steps/flow/task_graph.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using links = std::set<std::pair<int, int>>;

template <int D>
bool share_a_cell(box<D> const& a, box<D> const& b) {
  bool found = false;
  for_each_cell(a, [&](cell_index<D> const& cell) { found = found || b.contains(cell); });
  return found;
}

/// What happened in groups of tasks: accesses, and parts of arrays that groups have written as a whole.
template <int D>
struct access_log {
  struct entry {
    int group, task, array;
    box<D> part;
    bool writes, is_kept; ///< false: later tasks do not wait for it
  };
  std::vector<entry> all;

  links expected() const {
    links pairs;
    for (entry const& after : all)
      for (entry const& before : all)
        if (before.is_kept && before.group < after.group && before.array == after.array &&
            (before.writes || after.writes) && share_a_cell(before.part, after.part))
          pairs.emplace(before.task, after.task);
    return pairs;
  }
};

template <int D>
box<D> random_box(std::mt19937& random, bool is_long) {
  box<D> made;
  for (int a = 0; a < D; ++a) {
    std::int64_t const most = is_long && random() % 2 == 0 ? 12 : 3;
    made.lo[a] = static_cast<std::int64_t>(random() % 12) - 3;
    made.hi[a] = made.lo[a] + 1 + static_cast<std::int64_t>(random() % most);
  }
  return made;
}

template <int D>
void compare(unsigned seed) {
  INFO(D << " axes, seed " << seed);
  std::mt19937 random(seed);
  constexpr int num_arrays = 2;
  task_graph graph(num_arrays, D);
  access_log<D> log;
  for (int group = 0; group < 6; ++group) {
    for (int n = 0; n < 5; ++n) {
      int const task = graph.add();
      for (unsigned k = 0; k < 1 + random() % 3; ++k) {
        int const array = static_cast<int>(random() % num_arrays);
        auto const part = random_box<D>(random, random() % 4 == 0);
        bool const writes = random() % 2 == 0, is_kept = random() % 5 > 0;
        if (is_kept)
          graph.access(task, array, padded(part), writes);
        else
          graph.wait_for(task, array, padded(part), writes);
        log.all.push_back({group, task, array, part, writes, is_kept});
      }
    }
    graph.end_group();
  }
  auto const order = graph.finish();
  links found;
  std::vector<int> num_before(graph.num_tasks());
  for (int before = 0; before < graph.num_tasks(); ++before)
    for (int k = order.tasks2after[before]; k < order.tasks2after[before + 1]; ++k) {
      found.emplace(before, order.after[k]);
      ++num_before[order.after[k]];
    }
  CHECK(found == log.expected());
  CHECK(num_before == order.num_before);
}

} // namespace

TEST_CASE("tasks wait for all earlier ones that access a common cell, if one of them writes") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    compare<1>(seed);
    compare<2>(seed);
    compare<3>(seed);
  }
}

TEST_CASE("tasks on lists of ids wait for those that have an id in common, and only for those") {
  std::mt19937 random(7);
  auto const random_list = [&] {
    id_list ids;
    for (local_id id = 0; id < 40; ++id)
      if (random() % 4 == 0)
        ids.push_back(id);
    return list_of(std::move(ids));
  };
  for (int round = 0; round < 50; ++round) {
    task_graph graph(1, 1);
    std::vector<step_region> parts;
    for (int group = 0; group < 6; ++group, graph.end_group())
      for (int n = 0; n < 3; ++n) {
        parts.push_back(random_list());
        graph.access(graph.add(), 0, parts.back(), group % 2 == 0);
      }
    links expected, found;
    for (int before = 0; before < std::ssize(parts); ++before)
      for (int after = before + 1; after < std::ssize(parts); ++after) {
        bool const writes = before / 3 % 2 == 0 || after / 3 % 2 == 0;
        if (writes && before / 3 < after / 3 &&
            !intersection(parts[before], parts[after]).is_empty())
          expected.emplace(before, after);
      }
    auto const order = graph.finish();
    for (int before = 0; before < graph.num_tasks(); ++before)
      for (int k = order.tasks2after[before]; k < order.tasks2after[before + 1]; ++k)
        found.emplace(before, order.after[k]);
    CHECK(found == expected);
  }
}

TEST_CASE("tasks do not wait for those before a group that has written everything anew") {
  task_graph graph(1, 2);
  box3 const all{{0, 0, 0}, {1, 8, 8}}, low{{0, 0, 0}, {1, 4, 8}}, high{{0, 4, 0}, {1, 8, 8}};
  int const first = graph.add();
  graph.access(first, 0, high, true);
  graph.end_group();
  int const lower = graph.add(), upper = graph.add();
  graph.access(lower, 0, low, true);
  graph.access(upper, 0, high, true);
  graph.end_group({{0, all}});
  int const last = graph.add();
  graph.access(last, 0, all, false);
  graph.end_group();
  auto const order = graph.finish();
  CHECK(order.num_before[upper] == 1); // first
  CHECK(order.num_before[last] == 2);  // lower and upper
}
