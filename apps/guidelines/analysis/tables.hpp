/// Tables of an analysis: violations and tests of each guideline, and the violations one by one.
#pragma once

#include "analysis/analysis.hpp"

namespace guidelines {

/// A table in Markdown with a row for each guideline and a column for each deployment:
/// "violations/tests (violating groups/groups)", and the largest ratio of a violation.
/// Source: [Luebbe2017] tables 3 and 4.
std::string markdown_table(std::vector<std::vector<verdict>> const& verdicts);

/// The table of all guidelines as comma-separated values, a line for each guideline and deployment.
std::string table_csv(std::vector<std::vector<verdict>> const& verdicts);

/// All comparisons as comma-separated values, with medians, p, v and whether they are violations.
std::string tests_csv(std::vector<std::vector<verdict>> const& verdicts, column varied);

/// The experiments whose times stay out, in Markdown; empty if there are none.
std::string excluded_experiments(std::vector<samples> const& deployments);

/// The data of plots as JSON: for each violating group the medians of both sides along the varied
/// column, and for each violation in it the five numbers of a box for each run.
std::string plots_json(std::vector<std::vector<verdict>> const& verdicts,
                       std::vector<samples> const& deployments, campaign const& asked);

} // namespace guidelines
