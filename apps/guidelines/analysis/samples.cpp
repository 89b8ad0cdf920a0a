#include "analysis/samples.hpp"

#include "statistics/quantile.hpp"

#include <algorithm>
#include <functional>

namespace guidelines {
namespace {

void add_run(std::optional<sample>& to, result const& measured) {
  if (!to)
    return;
  if (measured.outcome != status::ok)
    return to.reset();
  to->runs.push_back(without_outliers(measured.seconds));
  to->medians.push_back(median(to->runs.back()));
}

void note(std::vector<levels>& list, levels const& experiment) {
  if (std::ranges::find(list, experiment) == list.end())
    list.push_back(experiment);
}

/// Joins the medians of two samples, run by run.
void join(sample& into, sample const& other, joining how) {
  for (int run = 0; run < std::ssize(into.medians); ++run) {
    double& own = into.medians[run];
    own = how == joining::sum ? own + other.medians[run] : std::max(own, other.medians[run]);
    into.runs[run] = {own};
  }
}

} // namespace

samples collect(std::string const& deployment, std::vector<results> const& runs) {
  samples all{deployment, {}, {}, {}};
  for (result const& measured : runs[0].experiments)
    all.of[compared_levels(measured.experiment)].emplace();
  for (results const& run : runs)
    for (result const& measured : run.experiments) {
      levels const key = compared_levels(measured.experiment);
      add_run(all.of[key], measured);
      if (measured.outcome == status::wrong)
        note(all.wrong, key);
      if (measured.outcome == status::absent)
        note(all.absent, key);
    }
  return all;
}

std::optional<sample> right_side(samples const& from, guideline const& asked, levels const& left) {
  std::optional<sample> joined;
  for (some_levels const& term : asked.right) {
    auto const found = from.of.find(compared_levels(with_levels(left, term)));
    if (found == from.of.end() || !found->second)
      return std::nullopt;
    if (joined)
      join(*joined, *found->second, asked.how);
    else
      joined = found->second;
  }
  return joined;
}

} // namespace guidelines
