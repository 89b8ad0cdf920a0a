/// What is seen of cells: numbers for pictures, and RLE.
#pragma once

#include "generation.hpp"
#include "plane.hpp"

#include <seam/files.hpp>

#include <cstdint>
#include <string>

namespace life {

/// How pictures are drawn: the first row at the top, live cells as ink.
seam::picture_options drawing();

/// Returns the shares of live cells in squares of cells, of one cell if the board is small, on rank
/// 0; other ranks get none.
/// Collective: over the grid.
seam::shown_numbers gather_shares(generation const& cells);

/// The cells that a pattern can reach in so many generations, from its upper left corner.
/// Local.
cell_box reach_of(pattern const& start, std::int64_t generations);

/// Returns the cells in reach, on rank 0. If they are too many, shows squares of squares of cells, as
/// small as hold all live ones and a power of 2: numbers of live cells as shares of the largest.
/// @param reach  of the pattern
/// Collective: over the plane's ranks.
seam::shown_numbers gather_shares(plane const& cells, cell_box const& reach);

/// The cells as RLE with `game` in its header, on rank 0: of a board all of it, of a plane the box
/// around live cells.
/// Collective: over the ranks.
std::string in_rle(generation const& cells, rule const& game);
std::string in_rle(plane const& cells, rule const& game);

} // namespace life
