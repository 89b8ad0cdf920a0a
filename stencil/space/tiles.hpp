/// Tiles: the pieces of a block that threads compute.
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>

#include <cstdint>
#include <vector>

namespace seam::detail {

/// The cells of a tile: few enough that threads share the work evenly and that messages make
/// progress while a tile is computed, and enough that taking a tile, or waking a thread, costs
/// little beside them.
/// @param bytes_of_cell  that kernels read and write in each cell
std::int64_t cells_of_a_tile(std::int64_t num_cells, std::int64_t bytes_of_cell);

/// The cells of a piece of ghosts that a rank fills itself: a few pieces for each thread, so that
/// each waits for few tiles and is filled by the thread that has computed them.
std::int64_t ghosts_of_a_piece(std::int64_t num_ghosts);

/// Cuts `part` into disjoint boxes of at most about `most_cells` cells, across the slow axes first
/// so that rows stay long.
/// @param whole          an axis that is not cut: each box has all layers along it; -1: none
/// @param fewest_in_row  rows are not cut to less
/// Local.
std::vector<box3> cut(box3 const& part, std::int64_t most_cells, int whole = -1,
                      std::int64_t fewest_in_row = 1);

} // namespace seam::detail
