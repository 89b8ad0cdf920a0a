/// A generation on the board: putting a pattern there, counting, writing it down.
#pragma once

#include "options.hpp"

#include <seam/seam.hpp>

#include <cstdint>
#include <string>

namespace life {

/// Cells, 0 dead and 1 alive; rows downwards.
using generation = seam::Field<std::uint8_t, 2>;

/// Sets the cells of `start`, in the middle of the board. Local.
void put(pattern const& start, generation& cells);

/// Live cells on the whole board. Collective: over the grid.
std::int64_t population(generation const& cells);

/// Writes a picture if `path` ends with .png, else RLE with `game` and `where` in its header, such
/// that a game that starts from it goes on as this one: of an unbounded plane only the box around
/// the live cells, of a board all of it. Collective: over the grid.
void write(generation const& cells, rule const& game, board const& where, std::string const& path);

/// Makes sure that the output can be written. Collective: over the runtime's ranks.
/// @throws usage_error  its path ends with neither .png nor .rle, it is the pattern, or it or its
///         series cannot be written (on all ranks)
void check_output(seam::Runtime& runtime, options const& wanted);

} // namespace life
