/// The outcome of a campaign: its results, analyzed, and the files that are made of them.
#pragma once

#include "analysis/analysis.hpp"
#include "campaign/folder.hpp"

#include <memory>
#include <optional>

namespace guidelines {

/// The campaign to analyze, and the settings that replace those of its file.
struct analysis_options {
  std::string folder;
  std::string guidelines{}; ///< a file with other guidelines
  std::string confirm{};    ///< the folder of a second campaign, whose violations are compared
  std::optional<double> p{}, v{};
  std::string varied{};
};

/// A campaign with its samples and verdicts.
struct outcome {
  campaign_folder made; ///< whose guidelines and thresholds are those of the analysis
  results first;        ///< of its first run, for the head
  std::vector<samples> deployments;
  std::vector<std::vector<verdict>> verdicts; ///< [guidelines][deployments]

  int num_violations() const;
};

/// Reads the results of a campaign and tests its guidelines.
/// @throws usage_error  results are missing, malformed, not whole or of different machines; as
///         analyze()
std::unique_ptr<outcome> analyze_folder(analysis_options const& wanted);

/// Writes analysis/guidelines.md, guidelines.csv, tests.csv and plots.json.
void write_analysis(outcome const& of);

/// The table, the machine and the experiments whose times stay out, in Markdown.
std::string markdown_of(outcome const& of);

} // namespace guidelines
