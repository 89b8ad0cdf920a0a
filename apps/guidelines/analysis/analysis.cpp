#include "analysis/analysis.hpp"

#include "statistics/quantile.hpp"
#include "statistics/rank_sum.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace guidelines {
namespace {

/// The levels that a group shares, for example "MPI_BYTE, Moore, dimensions=2, reorder=0".
std::string group_of(levels const& left, guideline const& asked, column varied) {
  std::vector<std::string> parts;
  for (int which = 0; which < num_columns; ++which) {
    auto const here = static_cast<column>(which);
    std::string const& level = left[here];
    auto const fixed = asked.left.find(here);
    bool const is_free = fixed == asked.left.end() || is_pattern(fixed->second);
    if (here != varied && is_free && level != not_applicable)
      parts.push_back(std::isalpha(static_cast<unsigned char>(level[0])) != 0
                          ? level
                          : fmt::format("{}={}", column_names[here], level));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

comparison compare(sample const& left, sample const& right, thresholds const& beyond) {
  comparison made;
  made.left_median = median(left.medians);
  made.right_median = median(right.medians);
  made.v = made.left_median / made.right_median;
  made.p = rank_sum_p(left.medians, right.medians);
  made.is_violation = made.v >= beyond.v && made.p <= beyond.p;
  return made;
}

/// Numbers in their order, other words behind in theirs.
auto order_of(std::string const& level) {
  bool const is_number = !level.empty() && std::ranges::all_of(level, [](char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
  });
  return std::tuple(!is_number, is_number ? level.size() : 0, level);
}

verdict judge(samples const& in, guideline const& asked, thresholds const& beyond, column varied) {
  verdict made{&asked, in.deployment, {}};
  for (auto const& [experiment, left] : in.of) {
    if (!left || !has_levels(experiment, asked.left))
      continue;
    auto const right = right_side(in, asked, experiment);
    if (!right)
      continue;
    auto& test = made.tests.emplace_back(compare(*left, *right, beyond));
    test.left = experiment;
    test.group = group_of(experiment, asked, varied);
    test.varied = experiment[varied];
  }
  std::ranges::sort(made.tests, {}, [](comparison const& test) {
    return std::tuple(test.group, order_of(test.varied));
  });
  return made;
}

/// True if both sides of the guideline are among the experiments, whatever came out of them.
bool has_both_sides(samples const& in, guideline const& asked) {
  return std::ranges::any_of(in.of, [&](auto const& measured) {
    return has_levels(measured.first, asked.left) &&
           std::ranges::all_of(asked.right, [&](some_levels const& term) {
             return in.of.contains(compared_levels(with_levels(measured.first, term)));
           });
  });
}

int num_groups_of(verdict const& of, bool violating) {
  std::set<std::string> groups;
  for (comparison const& test : of.tests)
    if (test.is_violation || !violating)
      groups.insert(test.group);
  return static_cast<int>(groups.size());
}

} // namespace

int verdict::num_violations() const {
  return static_cast<int>(std::ranges::count(tests, true, &comparison::is_violation));
}

int verdict::num_groups() const { return num_groups_of(*this, false); }
int verdict::num_violating_groups() const { return num_groups_of(*this, true); }

double verdict::largest_ratio() const {
  double largest = 0;
  for (comparison const& test : tests)
    if (test.is_violation)
      largest = std::max(largest, test.v);
  return largest;
}

std::vector<std::vector<verdict>> analyze(std::vector<samples> const& deployments,
                                          std::vector<guideline> const& judged_by,
                                          thresholds const& beyond, column varied) {
  std::vector<std::vector<verdict>> all;
  for (guideline const& asked : judged_by) {
    if (std::ranges::none_of(deployments,
                             [&](auto const& in) { return has_both_sides(in, asked); }))
      refuse_at(asked.place, fmt::format("guideline {} {}: no experiment has the levels of both "
                                         "sides (expected levels that the results have)",
                                         asked.name, asked.in_words()));
    auto& verdicts = all.emplace_back();
    for (samples const& in : deployments)
      verdicts.push_back(judge(in, asked, beyond, varied));
  }
  return all;
}

void keep_confirmed(std::vector<std::vector<verdict>>& own,
                    std::vector<std::vector<verdict>> const& other) {
  for (int g = 0; g < std::ssize(own); ++g)
    for (verdict& judged : own[g]) {
      std::set<levels> confirmed;
      for (verdict const& again : other[g])
        for (comparison const& test : again.tests)
          if (again.deployment == judged.deployment && test.is_violation)
            confirmed.insert(test.left);
      for (comparison& test : judged.tests)
        test.is_violation = test.is_violation && confirmed.contains(test.left);
    }
}

} // namespace guidelines
