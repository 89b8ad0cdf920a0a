/// What a mesh cannot be made of.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

namespace seam::detail {

/// @throws usage_error  lengths do not fit together; ranks differ in dimensions; an element has not
///         the shape, dimension or distinct vertices that it should have; an id is out of range or
///         given twice; a coordinate is not finite (the same line on all ranks)
/// Collective: over `over`.
void check_input(Communicator const& over, mesh_input const& input);

} // namespace seam::detail
