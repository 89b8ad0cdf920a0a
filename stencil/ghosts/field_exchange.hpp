/// Field exchanges: halos of fields on cells, faces and corners, of any components and ghost
/// widths, directly from owners to ghosts.
#pragma once

#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/fields/field_state.hpp>

#include <memory>
#include <span>

namespace seam::detail {

/// True if a field's array has the layout of the grid's halo plan.
bool has_layout_of_grid(field_state const& field);

/// An exchange of the ghosts that the grid's neighborhood reaches, around values of each field.
/// @param fields   of one grid, at least one
/// @param arrays   [fields]
/// @param reverse  from ghosts to owners
/// Collective: over the grid.
/// Cost of a run: at most one message for each neighbor.
operation make_field_exchange(std::span<std::shared_ptr<field_state> const> fields,
                              std::span<exchanged_array const> arrays, bool reverse);

} // namespace seam::detail
