/// Checks of a mesh input.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

namespace seam::detail {

/// Checks that a mesh can be made of the inputs of all ranks.
/// @throws usage_error  lengths do not fit together; ranks differ in dimensions or groups; an element has a
///         wrong shape, dimension or number of vertices, or a vertex twice; an id is out of range
///         or given twice; a coordinate is not finite (the same line on all ranks)
/// Collective: over `over`.
void check_input(Communicator const& over, mesh_input const& input);

} // namespace seam::detail
