/// Places of vertices: sent from the ranks whose input has them to the ranks that need them.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// Finds x, y, z of vertices in the inputs of all ranks. [3 * ids.size()]
/// @param largest_vertex  the largest vertex id of all ranks
/// @param of              the vertices' owner in the error line: "a cell"
/// @throws usage_error    a vertex is in the input of no rank (on all ranks)
/// Collective: over `over`.
std::vector<double> find_places(Communicator const& over, std::span<global_id const> ids,
                                mesh_input const& given, global_id largest_vertex,
                                char const* of = "a cell");

} // namespace seam::detail
