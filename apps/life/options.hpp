/// What seam-life can be asked for on its command line, and the board that follows from it.
#pragma once

#include "pattern.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace life {

struct options {
  std::string pattern_file, output;
  std::int64_t generations = 100;
  std::int64_t report_every = 0; ///< lines of the table; 0: none [generations]
  std::int64_t every = 0;        ///< pictures of a series; 0: only the last one [generations]
  std::string size, rule, topology;
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

/// The rule of the command line, else the pattern's, else B3/S23.
/// @throws usage_error  it is malformed. Local.
rule choose_rule(options const& wanted, pattern const& start);

/// The board of the command line, else the pattern's, else a plane that is as large as anything can
/// grow in the generations asked for, so that its edges are never felt.
/// @throws usage_error  the size is malformed, too large or too small for the pattern, a torus has
///         none, or the rule gives birth without neighbors on an unbounded plane. Local.
board choose_board(options const& wanted, pattern const& start, rule const& game);

} // namespace life
