/// The terminal: whether somebody watches what the program prints, and the one line at its foot
/// that is drawn anew again and again.
#pragma once

#include <string>
#include <string_view>

namespace seam::detail {

/// True if `stream` (1: stdout, 2: stderr) is shown on a terminal, also where a launcher like
/// mpiexec passes it on. Local.
bool reaches_terminal(int stream);

/// Writes `text` to stderr in one piece. Local, any thread.
void write_to_stderr(std::string_view text) noexcept;

/// Draws `text`, which has no line break, over the line at the foot of the terminal.
void draw_foot(std::string_view text);

/// Takes the line at the foot away if there is one. Any thread.
void erase_foot() noexcept;

/// What has to precede a line on stdout so that it does not mix with the foot. Mostly nothing.
std::string_view before_line_on_stdout();

} // namespace seam::detail
