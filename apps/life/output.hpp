/// Files of a game: pictures, and RLE from which it can continue.
#pragma once

#include "options.hpp"
#include "played_game.hpp"

#include <seam/runtime.hpp>

#include <string>

namespace life {

/// Writes a picture if `path` ends with .png, else RLE.
/// Collective: over the runtime's ranks.
void write(seam::Runtime& runtime, played_game const& game, std::string const& path);

/// Checks that the output can be written.
/// @throws usage_error  its path ends with neither .png nor .rle, it is the pattern, or it or its
///         series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_output(seam::Runtime& runtime, options const& wanted);

} // namespace life
