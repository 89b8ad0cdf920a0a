/// Stale words: what checked mode says about a ghost that is out of date, and which elements of a
/// field's buffer are ghosts.
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/stencil/fields/grid.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace seam::detail {

/// Where the elements of a buffer lie: [components][cells of `local`].
struct buffer_layout {
  shared_space space;
  field_options options;
  box3 local; ///< owned values and ghosts, in indices relative to the block
};

/// The kinds of all elements of a buffer. Values of the rim are as near to an end of the block as the
/// ghosts are wide. Ghosts within reach are those that the grid's neighborhood reaches from owned ones.
/// Local.
std::vector<element_kind> kinds_of_elements(buffer_layout const& layout);

/// The line about a read of a ghost: rank, ghost, field, side, and the exchange that is missing.
/// Local.
std::string words_of_stale_ghost(buffer_layout const& layout, char const* name,
                                 std::int64_t element, stale_reason why);

} // namespace seam::detail
