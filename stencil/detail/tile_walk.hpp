/// Tile walks: hand the places of a tile to a kernel's body, as runs along rows.
#pragma once

#include <seam/stencil/detail/kernel_body.hpp>

namespace seam::detail {

/// Computes a tile: copies what the kernel keeps, and calls the kernel at its places, in its order.
/// @throws  what the kernel throws; usage_error  in checked mode, for an access that is not declared
/// Local. Threads: tiles of a kernel that do not depend on each other may be computed at the same time.
void compute_tile(step_kernel const& kernel, tile_call const& call);

/// Calls a kernel on values alone.
/// Local.
void set_values(step_kernel const& kernel);

/// Calls a kernel a few times on a recorder, with made-up values.
/// @throws usage_error  it reads or writes what it does not declare
/// Local.
void probe(step_kernel const& kernel, step_recorder& recorder);

} // namespace seam::detail
