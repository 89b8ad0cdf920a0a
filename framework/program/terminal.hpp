/// The terminal: whether output is shown on one, and the line at its foot, which is redrawn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seam::detail {

/// True if `stream` (1: stdout, 2: stderr) is shown on a terminal, also if a launcher like mpiexec
/// forwards it.
/// Local.
bool reaches_terminal(int stream);

/// The size of a terminal. [characters]
struct terminal_size {
  int columns = 80, rows = 24;
};

/// The size of the terminal on which `stream` is shown, as it is now; where it is not known, the
/// usual one.
/// Local.
terminal_size size_of_terminal(int stream);

/// Writes `text` to stderr in one piece.
/// Local.
/// Threads: any.
void write_to_stderr(std::string_view text) noexcept;

/// Draws `text`, which has no line break, over the line at the foot of the terminal.
void draw_foot(std::string_view text);

/// Draws `lines`, `num_lines` of them, over the lines that the last call has drawn, or below if a
/// line has been printed since. The foot is erased.
void draw_lines(std::string_view lines, std::int64_t num_lines);

/// Erases the line at the foot if there is one.
/// Threads: any.
void erase_foot() noexcept;

/// Returns the characters that erase the foot before a line on stdout; empty if none is shown. Lines
/// that are drawn stay above it.
std::string_view before_line_on_stdout();

} // namespace seam::detail
