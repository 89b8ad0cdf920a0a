/// Files of a game: where patterns are, pictures, and whether outputs can be written.
#pragma once

#include "options.hpp"
#include "played_game.hpp"

#include <seam/runtime.hpp>

#include <string>

namespace life {

/// Writes a picture of the cells into the file at `path`.
/// Collective: over the runtime's ranks.
void write_picture(seam::Runtime& runtime, played_game const& game, std::string const& path);

/// Checks that the files that the options ask for can be written.
/// @param pattern_file  path of the pattern
/// @throws usage_error  there are generations between pictures but no pictures, or the other way
///         round, an output is the pattern, or it or its series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_outputs(seam::Runtime& runtime, options const& wanted, std::string const& pattern_file);

} // namespace life
