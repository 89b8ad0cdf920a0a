/// Border fills: the ghosts of a field beyond borders, outside of steps.
#pragma once

#include <seam/stencil/fields/field_state.hpp>

#include <cstddef>
#include <memory>

namespace seam::detail {

/// Throws usage_error if a border with ghosts has no condition for a component. Local.
void check_borders(field_state const& field);

/// Fills the ghosts of the newest level in `part` beyond all borders. Local.
/// @param threads  the caller alone: where it computes tile by tile
/// @throws usage_error  a border has no condition; or one sees more values than the block at the border
///         has (with ghosts, except by tiles; on all ranks)
void fill_borders(field_state const& field, box3 const& part, by_threads threads);

/// In checked mode: notes that a component's ghosts in `part`, beyond a border, have been filled in a
/// buffer. A ghost is current if its mirror image is, and what the condition reads of another field; or
/// always, if the condition is fixed. Local.
void note_filled(field_state const& field, std::shared_ptr<std::byte> const& buffer,
                 filled_border const& by, int component, box3 const& part);

} // namespace seam::detail
