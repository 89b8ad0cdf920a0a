/// Writing a generation: pictures, and RLE from which a game can continue.
#pragma once

#include "generation.hpp"
#include "options.hpp"

#include <seam/framework/program/runtime.hpp>

#include <string>

namespace life {

/// Writes a picture if `path` ends with .png, else RLE with `game` and the board in its header, from
/// which a game can continue. Of an unbounded plane RLE holds the box around the live cells, of a
/// board all of it.
/// Collective: over the grid.
void write(generation const& cells, rule const& game, std::string const& path);

/// Checks that the output can be written.
/// @throws usage_error  its path ends with neither .png nor .rle, it is the pattern, or it or its
///         series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_output(seam::Runtime& runtime, options const& wanted);

} // namespace life
