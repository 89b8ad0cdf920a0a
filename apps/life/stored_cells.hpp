/// Cells in checkpoints: of boards a byte for each, in rows, whatever words they lie in, of planes the
/// tiles with live cells. So a game goes on from its checkpoint on any number of ranks.
///
///     checkpoints kept(cells.grid().base(), wanted.restart, stored_cells{&cells});
#pragma once

#include "generation.hpp"
#include "plane.hpp"

#include <seam/checkpoint.hpp>

namespace life {

/// The present cells of a generation, which outlives the checkpoints, as state of these.
struct stored_cells {
  generation* of;
};

/// The present cells of a plane, which outlives the checkpoints, as state of these.
struct stored_tiles {
  plane* of;
};

/// What checkpoints know of the cells.
/// Local.
/// Cost: when it is read, a byte of memory for each cell of this rank; when it is written, a row. Of
/// tiles a copy.
seam::stored_array stored(stored_cells const& cells);
seam::stored_array stored(stored_tiles const& tiles);

} // namespace life
