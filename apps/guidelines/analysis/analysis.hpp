/// The analysis of a campaign: each guideline is tested wherever both of its sides were measured.
#pragma once

#include "analysis/samples.hpp"
#include "campaign/campaign_file.hpp"

namespace guidelines {

/// The comparison of two samples that differ in a guideline's levels alone.
struct comparison {
  levels left;         ///< the experiment on the left side
  std::string group;   ///< its levels but for the varied one and those of the guideline, in words
  std::string varied;  ///< its level of the varied column
  double p = 1, v = 0; ///< of the rank-sum test; the ratio of the medians of medians
  double left_median = 0, right_median = 0; ///< the medians of the runs' medians [s]
  bool is_violation = false;
};

/// All comparisons of one guideline in one deployment.
struct verdict {
  guideline const* of;
  std::string deployment;
  std::vector<comparison> tests; ///< by group, and by the varied column within each

  int num_violations() const;
  int num_groups() const;
  int num_violating_groups() const;
  double largest_ratio() const; ///< of the violations; 0 if there are none
};

/// Tests all guidelines in all deployments.
///
/// A guideline is violated if the medians of the left side's runs are shifted to the right of those
/// of the right side, with p at most as large as the threshold, and the ratio of their medians at
/// least as large as its.
///
/// @param judged_by  outlives the result
/// @return           [guidelines][deployments]
/// @throws usage_error  no deployment has both sides of a guideline among its experiments
/// Local.
/// Source: [Luebbe2017] sec. 3.2.
std::vector<std::vector<verdict>> analyze(std::vector<samples> const& deployments,
                                          std::vector<guideline> const& judged_by,
                                          thresholds const& beyond, column varied);

/// Keeps the violations that another analysis of the same guidelines has found, too.
void keep_confirmed(std::vector<std::vector<verdict>>& own,
                    std::vector<std::vector<verdict>> const& other);

} // namespace guidelines
