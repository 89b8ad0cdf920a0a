/// Patterns: live cells on a plane, as files describe them.
#pragma once

#include "rule.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace life {

/// Live cells side by side, rows downwards. [cells from the pattern's upper left corner]
struct run_of_cells {
  std::int64_t row, column; ///< of the first cell
  std::int64_t length = 1;

  friend bool operator==(run_of_cells const&, run_of_cells const&) = default;
};

/// What lies beyond the edges of a bounded board.
enum class topology { torus, plane };

/// A board that a file or a user prescribes; 0 stands for unbounded.
struct board {
  life::topology topology;
  std::int64_t width, height;
  bool is_part = false; ///< of an unbounded plane, as large as anything can grow

  friend bool operator==(board const&, board const&) = default;
};

/// Live cells in a box of width x height, and what the file says of rule and board. Takes as much
/// memory as its text, however many cells a run has.
struct pattern {
  std::int64_t width = 0, height = 0;
  std::vector<run_of_cells> alive; ///< ascending by row and column
  std::optional<life::rule> rule = {};
  std::optional<life::board> board = {};
};

/// Appends a run, or makes the last one longer if this one goes on behind it. Local.
void add(std::vector<run_of_cells>& alive, run_of_cells const& next);

/// Reads `text` as RLE or as plain text, whichever it is: a name that ends with .cells, a first
/// line that begins with '!', or one of nothing but '.', 'O' and '*' makes plain text.
/// @param name  of the file, for errors: "name:line:column: ..."
/// @throws usage_error  the text is malformed. Local.
pattern parse_pattern(std::string const& text, std::string const& name);

} // namespace life
