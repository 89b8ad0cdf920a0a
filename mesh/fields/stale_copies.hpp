/// Stale copies: in checked mode, which copies of a field on a mesh are out of date, and what is said when
/// one is read (ghost_stamps.hpp).
#pragma once

#include <seam/exchange/halo/array_watch.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace seam::detail {

class ghost_stamps;
struct mesh_field_state;

/// The stamps of a field's memory.
struct stamped_copies {
  std::shared_ptr<ghost_stamps> stamps;
  std::atomic<bool> is_given_up{false}; ///< a caller has a pointer, by which it may read and write
};

/// Gives a field's memory stamps in checked mode, unless it has some. Local.
void add_stamps(mesh_field_state& field);

/// Tells the stamps of a field of its halos; null without stamps. Local.
std::shared_ptr<array_watch> watch_of(mesh_field_state const& field);

/// Own values may be others now. Threads: one, outside of loops over the field.
void note_change(mesh_field_state const& field);

/// All copies have their owners' values. Threads: one, outside of loops over the field.
void note_copies(mesh_field_state const& field);

/// The caller gets a reference to a value. Threads: any.
void touch_value(mesh_field_state const& field, std::int64_t element);

/// The caller gets a pointer, by which it may read and write at any time: the field is checked no more.
/// Threads: any.
void note_pointer(mesh_field_state const& field);

} // namespace seam::detail
