/// Sides of cells as they are seen: from the cell of least id that has them, on all ranks.
///
///     +---+---+
///     | 4 | 9 |    the edge between 4 and 9 leads upward, as cell 4 lists its vertices; a normal to
///     +---+---+    the right of it points out of cell 4
#pragma once

#include <seam/mesh/entities/mesh_parts.hpp>

namespace seam::detail {

/// Lists the vertices of each side in the order of its cell of least id, and notes these cells in
/// parts.first_cells.
/// Collective: over `over`.
/// Cost: one question for each copy of a side, from the rank that has it to the owner.
void see_sides_from_first_cells(Communicator const& over, mesh_parts& parts);

} // namespace seam::detail
