/// Input files: the experiments of one run, a line each below the names of the columns, in the order in
/// which they are made. Lines that begin with # are comments.
#pragma once

#include "experiments/experiment.hpp"

#include <utility>

namespace guidelines {

/// A place in a file; lines and columns count from 1.
struct text_place {
  std::string file;
  int line = 1, column = 1;

  /// Throws a usage_error that begins with "file:line:column: ". Local.
  [[noreturn]] void refuse(std::string_view why) const;
};

/// The lines below the names of the columns, and their places, without comments and empty lines.
/// @param name     of the file, for errors
/// @param columns  their names as the first line has to have them
/// @throws usage_error  other columns, or none
/// Local.
std::vector<std::pair<text_place, std::string_view>> rows_of(
    std::string_view text, std::string const& name, std::string_view columns);

/// Reads and checks the experiments of an input file.
/// @param num_processes  that they run on; 0 if not known
/// @throws usage_error   a value is unknown or missing, or an experiment stands there twice; the line
///         names file, line and column
/// Local.
std::vector<levels> parse_input(std::string_view text, std::string const& name, int num_processes);

/// A number that stands for a set of experiments, whatever their order.
std::string fingerprint(std::vector<levels> const& experiments);

} // namespace guidelines
