/// Lent memory: fields in memory of the caller's.
#pragma once

#include <seam/stencil/fields/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// Memory of the caller's in which a field lies: that of a Kokkos view.
struct lent_memory {
  std::shared_ptr<std::byte> first;  ///< keeps the view alive; null: the field's memory is its own
  std::vector<std::int64_t> extents; ///< of the view, [axes] or [components, axes]
  bool is_dense = true;              ///< the last axis contiguous, and no gaps
  bool is_owned = true;              ///< false: nothing keeps the memory but the caller
};

/// Refuses memory that is no block of a field with ghosts around it.
/// @throws usage_error  on this rank
void check_lent(grid_space const& space, std::string const& name, field_options const& options,
                lent_memory const& lent);

/// The ghosts around a block in lent memory: as wide on both sides of an axis, or as the grid's.
/// Local.
ghost_width<3> ghosts_of(grid_space const& space, centering on, lent_memory const& lent);

} // namespace seam::detail
