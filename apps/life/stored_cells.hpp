/// Cells in checkpoints: a byte for each, in rows, whatever words they lie in. So a game goes on from
/// its checkpoint on any number of ranks.
///
///     checkpoints kept(cells.grid().base(), wanted.restart, stored_cells{&cells});
#pragma once

#include "generation.hpp"

#include <seam/framework/checkpoint/detail/stored_array.hpp>

namespace life {

/// The present cells of a generation, which outlives the checkpoints, as state of these.
struct stored_cells {
  generation* of;
};

/// What checkpoints know of the cells.
/// Local.
/// Cost: when it is read, a byte of memory for each cell of this rank; when it is written, a row.
seam::detail::stored_array stored(stored_cells const& cells);

} // namespace life
