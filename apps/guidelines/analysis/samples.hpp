/// Samples: the times of each experiment in the runs of a deployment, without outliers.
#pragma once

#include "analysis/guideline.hpp"
#include "experiments/results_file.hpp"

#include <map>
#include <optional>

namespace guidelines {

/// The times of one experiment.
struct sample {
  std::vector<std::vector<double>> runs; ///< [runs] times without outliers [s]
  std::vector<double> medians;           ///< [runs] [s]
};

/// The samples of a deployment.
struct samples {
  std::string deployment;
  std::map<levels, std::optional<sample>> of; ///< by compared_levels(); nothing if wrong or absent

  /// Experiments whose results were wrong in a run, and those whose calls the library lacks.
  std::vector<levels> wrong, absent;
};

/// Collects the samples of all runs.
/// @param runs  [at least 1] with the same experiments
/// Local.
/// Source: [Luebbe2017] sec. 3.2.
samples collect(std::string const& deployment, std::vector<results> const& runs);

/// The sample of a guideline's right side: of its one term, or the sums or largest of the medians
/// of its terms, run by run. Nothing if one of them has not been measured.
/// @param left  the experiment on the left side, of which the terms are made
std::optional<sample> right_side(samples const& from, guideline const& asked, levels const& left);

} // namespace guidelines
