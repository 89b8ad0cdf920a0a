/// The command-line options of seam-life, and the rule and board that they choose.
#pragma once

#include "pattern.hpp"

#include <seam/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace life {

struct options {
  std::string pattern, output, picture, animation;
  std::int64_t generations = 100;
  std::int64_t report_every = 0; ///< distance of lines of the table; 0: none [generations]
  std::int64_t every = 0;        ///< distance of pictures; 0: only the last [generations]
  std::string size, rule, topology;
  seam::watch_options watched;
  seam::checkpoint_options restart;
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(seam::option_list cli, options& wanted);

/// Returns the rule of the command line, else the pattern's, else B3/S23.
/// @throws usage_error  the rule is malformed
/// Local.
rule choose_rule(options const& wanted, pattern const& start);

/// Returns the board of the command line, else the pattern's; none for a plane without borders.
/// @throws usage_error  the size is malformed, too large or too small for the pattern, a torus has
///         none, or the rule gives birth without neighbors on an unbounded plane, or the pattern has
///         too many cells for one
/// Local.
std::optional<board> choose_board(options const& wanted, pattern const& start, rule const& game);

} // namespace life
