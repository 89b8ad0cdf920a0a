/// Plain-text patterns (.cells): a line for each row, '.' dead, 'O' or '*' alive, '!' comments.
/// Blanks at the ends of lines are ignored.
#pragma once

#include "pattern.hpp"

namespace life {

/// Parses a pattern.
/// @throws usage_error  the text has another character; the line is "name:line:column: ..."
/// Local.
pattern parse_cells(std::string const& text, std::string const& name);

} // namespace life
