/// Plain-text patterns (.cells): a line for each row, '.' dead, 'O' or '*' alive, '!' comments.
/// Blanks at the ends of lines count for nothing.
#pragma once

#include "pattern.hpp"

namespace life {

/// @throws usage_error  another character, as "name:line:column: ...". Local.
pattern parse_cells(std::string const& text, std::string const& name);

} // namespace life
