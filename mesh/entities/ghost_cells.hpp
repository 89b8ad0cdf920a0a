/// Ghost cells: the search for cells of other ranks around the cells of this rank.
#pragma once

#include <seam/mesh/entities/ghost_layers.hpp>
#include <seam/mesh/input/elements.hpp>

namespace seam::detail {

/// Finds the cells of other ranks in the layers around this rank's cells, by ascending owner and
/// id.
///
/// @param own             this rank's cells, by ascending id
/// @param largest_vertex  the largest vertex id of all ranks
/// Collective: over `over`.
received_elements find_ghost_cells(Communicator const& over, element_list const& own,
                                   ghost_layers const& layers, global_id largest_vertex);

} // namespace seam::detail
