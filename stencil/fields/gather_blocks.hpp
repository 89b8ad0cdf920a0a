/// Gathers blocks: gather() without the type of a field's values.
#pragma once

#include <seam/stencil/fields/field_state.hpp>

#include <cstddef>

namespace seam::detail {

/// Gathers the owned values of a component of every rank into `whole` on the root.
/// @param whole  [values...], row-major
/// @throws usage_error  there is no such component or rank (on all ranks)
/// Collective: over the grid.
void gather_blocks(field_state const& field, int component, std::byte* whole, int root);

} // namespace seam::detail
