/// Overlaps: cells that lie on the same side of a face, edge or vertex that both have.
///
///     +---+---+      +---+
///     | 0 | 1 |      |0 1|  cell 1 is folded back onto cell 0: both lie left of their edge
///     +---+---+      +---+
///
/// Where the dimension of cells is less than that of the space that they lie in (surfaces, networks
/// of lines), any number of cells may meet, and only cells with the same vertices overlap.
#pragma once

#include <seam/mesh/entities/mesh_parts.hpp>

#include <span>

namespace seam::detail {

/// Turns over all cells whose orientation is negative, unless they are surfaces or lines in space
/// (their coordinates along axes from num_dimensions on differ).
/// @param cells   with vertices as positions in `places`
/// @param places   [3 * number of vertices] x, y, z of each; length
/// @param periods  of which the images of vertices are multiples
/// Collective: over `over`.
void turn_cells(Communicator const& over, mesh_entities& cells, std::span<double const> places,
                std::span<std::array<double, 3> const> periods);

/// Checks that no cell is turned, that no two have the same vertices, and that at most one cell lies
/// on each side of a side of cells.
/// @throws usage_error  naming the cells (on all ranks)
/// Collective: over `over`.
/// Cost: one sparse exchange of the sides that several ranks have.
void check_overlaps(Communicator const& over, mesh_parts const& parts);

} // namespace seam::detail
