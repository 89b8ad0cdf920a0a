/// Writing a generation: pictures, and RLE from which a game can continue.
#pragma once

#include "generation.hpp"
#include "options.hpp"

#include <seam/framework/files/picture.hpp>
#include <seam/framework/program/runtime.hpp>

#include <string>

namespace life {

/// Writes a picture if `path` ends with .png, else RLE with `game` and the board in its header, from
/// which a game can continue. Of an unbounded plane RLE holds the box around the live cells, of a
/// board all of it.
/// Collective: over the grid.
void write(generation const& cells, rule const& game, std::string const& path);

/// Returns the shares of live cells in squares of cells, of one cell if the board is small, on rank
/// 0; other ranks get none.
/// Collective: over the grid.
seam::shown_numbers gather_shares(generation const& cells);

/// How pictures are drawn: the first row at the top, live cells as ink.
seam::picture_options drawing();

/// Checks that the output can be written.
/// @throws usage_error  its path ends with neither .png nor .rle, it is the pattern, or it or its
///         series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_output(seam::Runtime& runtime, options const& wanted);

} // namespace life
