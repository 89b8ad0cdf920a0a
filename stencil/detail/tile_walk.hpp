/// Tile walks: hand the places of a tile to a kernel's body, as runs along rows.
#pragma once

#include <seam/stencil/detail/kernel_body.hpp>

namespace seam::detail {

/// Computes a tile: copies what the kernel keeps, and calls the kernel at its places, in its order.
/// @throws  what the kernel throws; usage_error  in checked mode, for an access that is not declared
/// Local. Threads: tiles of a kernel that do not depend on each other may be computed at the same time.
template <int D>
void compute_tile(step_kernel<D> const& kernel, tile_call<D> const& call);

/// Calls a kernel on values alone.
/// Local.
template <int D>
void set_values(step_kernel<D> const& kernel);

/// Calls a kernel a few times on a recorder, with made-up values.
/// @throws usage_error  it reads or writes what it does not declare
/// Local.
template <int D>
void probe(step_kernel<D> const& kernel, step_recorder<D>& recorder);

} // namespace seam::detail
