/// Places of vertices: from the ranks that have been given them to those that need them.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// x, y, z of vertices that some ranks give. [3 * ids.size()]
/// @param largest_vertex  the largest vertex id of all ranks
/// @throws usage_error    no rank gives a vertex (on all ranks)
/// Collective: over `over`.
std::vector<double> find_places(Communicator const& over, std::span<global_id const> ids,
                                mesh_input const& given, global_id largest_vertex);

} // namespace seam::detail
