/// Patterns: live cells on a plane, with the rule and board that a file names.
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

/// The opposite edge (torus) or dead cells (plane) lie beyond the edges of a bounded board.
enum class topology { torus, plane };

/// A board of a file or of the command line; a size of 0 stands for unbounded.
struct board {
  life::topology topology;
  std::int64_t width, height;

  friend bool operator==(board const&, board const&) = default;
};

/// Live cells in a box of width x height, with the file's rule and board if it has any. Takes
/// memory in proportion to its text, however many cells a run has.
struct pattern {
  std::int64_t width = 0, height = 0;
  std::vector<run_of_cells> alive; ///< ascending by row and column
  std::optional<life::rule> rule = {};
  std::optional<life::board> board = {};
};

/// Appends a run, or extends the last one if `next` continues it.
/// Local.
void add(std::vector<run_of_cells>& alive, run_of_cells const& next);

/// Parses `text` as plain text if `name` ends with .cells, or if the first line begins with '!' or
/// has no characters but '.', 'O' and '*'; else as RLE.
/// @param name  name of the file for errors: "name:line:column: ..."
/// @throws usage_error  the text is malformed
/// Local.
pattern parse_pattern(std::string const& text, std::string const& name);

/// Parses plain text (.cells): a line for each row, '.' dead, 'O' or '*' alive, '!' comments. Blanks at
/// the ends of lines are ignored.
/// @throws usage_error  the text has another character; the line is "name:line:column: ..."
/// Local.
pattern parse_cells(std::string const& text, std::string const& name);

/// Parses run-length encoded patterns (.rle) in the dialect of Golly.
///
///     #C a comment
///     x = 3, y = 3, rule = B3/S23:T100,80
///     bo$2bo$3o!
///
/// Takes comments, the header with rule and board (:T torus, :P plane), and the cells up to '!'.
///
/// As in Golly the box grows if cells lie beyond the size of the header, a comment "#r 23/3" sets
/// the rule unless a header behind it does, the end of a line may divide a count, and '!' may be
/// missing.
/// @throws usage_error  the text is malformed; the line is "name:line:column: ..."
/// Local.
pattern parse_rle(std::string const& text, std::string const& name);

/// Returns the text of an RLE file, in lines of at most 70 characters.
/// @param drawn  `alive` ascends by row and column
std::string to_rle(pattern const& drawn);

} // namespace life
