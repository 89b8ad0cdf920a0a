/// Lists of levels in campaign files: "1 2 4", "0 to dimensions", "256 to 32768 by sqrt2".
#pragma once

#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"

#include <map>

namespace guidelines {

/// The columns of one list of experiments, with the words behind each.
struct experiment_list {
  text_place place;
  std::map<column, std::vector<placed_word>> words;
};

/// The levels that the words stand for, which may name earlier columns of the experiment.
/// @param known  the levels of earlier columns
/// @throws usage_error  a range is malformed, or names a column without a number
/// Local.
std::vector<std::string> levels_in(std::vector<placed_word> const& words, levels const& known);

/// All experiments of a list, each once.
/// @param constants  the levels of columns that lists do not name
/// @throws usage_error  an experiment cannot be
/// Local.
std::vector<levels> experiments_in(experiment_list const& list, levels const& constants);

} // namespace guidelines
