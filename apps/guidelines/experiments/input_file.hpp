/// Input files: the experiments of one run, a line each, in the order in which they are made.
#pragma once

#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"

namespace guidelines {

/// Reads and checks the experiments of an input file.
/// @param num_processes  that they run on; 0 if not known
/// @throws usage_error   a column or a value is unknown or missing, or an experiment stands there
///         twice; the line names file, line and column
/// Local.
std::vector<levels> parse_input(std::string_view text, std::string const& name, int num_processes);

/// A number that stands for a set of experiments, whatever their order.
std::string fingerprint(std::vector<levels> const& experiments);

} // namespace guidelines
