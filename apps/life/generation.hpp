/// A generation on the board: setting, counting and writing its cells.
#pragma once

#include "options.hpp"

#include <seam/seam.hpp>

#include <cstdint>
#include <string>

namespace life {

/// Cells, 0 dead and 1 alive; rows downwards.
using generation = seam::Field<std::uint8_t, 2>;

/// Sets the live cells of `start`, in the middle of the board.
/// Local.
void put(pattern const& start, generation& cells);

/// Number of live cells on the whole board.
/// Collective: over the grid.
std::int64_t population(generation const& cells);

/// Writes a picture if `path` ends with .png, else RLE with `game` and `where` in its header, from
/// which a game can continue. Of an unbounded plane RLE holds the box around the live cells, of a
/// board all of it.
/// Collective: over the grid.
void write(generation const& cells, rule const& game, board const& where, std::string const& path);

/// Checks that the output can be written.
/// @throws usage_error  its path ends with neither .png nor .rle, it is the pattern, or it or its
///         series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_output(seam::Runtime& runtime, options const& wanted);

} // namespace life
