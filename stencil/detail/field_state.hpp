/// Field states: what seam knows of a field whatever the type of its values: its place on the grid,
/// its ghosts, its buffers and the conditions on its borders.
///
///     buffer          [components][n0 + ghosts]...[nD-1 + ghosts], the last axis contiguous
///     buffers         level 0, level -1, ..., and spare ones, into which steps compute new values
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/stencil/border.hpp>
#include <seam/stencil/box.hpp>
#include <seam/stencil/detail/filled_borders.hpp>
#include <seam/stencil/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seam {
class array_watch;
}

namespace seam::detail {

class ghost_stamps;

/// True in builds whose views tell stamps what they are asked for; see view_watch.
#if defined(SEAM_CHECKED) && SEAM_CHECKED
inline constexpr bool views_are_watched = true;
#else
inline constexpr bool views_are_watched = false;
#endif

/// A border of a grid of D axes, as users number its axis.
template <int D>
border<D> unpadded(border<3> const& where) {
  return {where.axis - padded_axis<D>(0), where.side, unpadded<D>(where.ghosts)};
}

/// The borders of the domain on axes that are not periodic, with the ghosts beyond them around a
/// block, which may be none, for values at `on` with ghosts of `width`: in the order in which the
/// ghosts are filled.
/// Local.
std::vector<border<3>> borders_of(grid_space const& grid, centering on,
                                  ghost_width<3> const& width);

/// A field without the type of its values. Shared by the field, its halos, and steps.
class field_state {
public:
  /// @param first_value  of all elements of a new buffer, as bytes
  /// @param is_bool      true if values are of type bool
  /// @throws usage_error  no components, or no levels (on all ranks)
  /// Collective: over the grid.
  field_state(shared_space space, std::string name, field_options const& options,
              std::span<std::byte const> first_value, bool is_bool);
  ~field_state();

  std::string name;
  shared_space space;
  field_options options;
  std::int64_t element_bytes;
  ghost_width<3> width;          ///< of the ghosts that are stored
  int times_widened = 0;         ///< on any rank, so the same on all
  int times_sources_changed = 0; ///< what conditions on borders read; the same on all
  std::vector<std::shared_ptr<std::byte>> buffers; ///< levels, the newest first; spare ones
  std::vector<filled_border> borders;              ///< in the order in which they are filled
  bool is_set = false; ///< true if a caller has had access to values, and may have set them

  /// Owned values, and values with ghosts, in indices relative to the block.
  box3 owned() const { return {{}, space->owned(options.on).extents()}; }
  box3 local() const { return grow(owned(), width.below, width.above); }

  /// The memory of a component in a buffer.
  component_memory component(std::shared_ptr<std::byte> const& buffer, int component) const;

  /// The region of a component's values in its buffer. [global indices]
  region region_of(int component, box3 const& global) const;

  std::int64_t bytes_of_component() const { return local().num_cells() * element_bytes; }

  /// Makes the ghosts at least as wide as `least` and the buffers at least as many as
  /// `num_buffers`. Memory moves if one of them grows on any rank; values stay.
  /// Collective: over the grid.
  void require(ghost_width<3> const& least, int num_buffers);

  /// Uses a condition on a border.
  /// @param component  -1: all
  /// @throws usage_error  there is no such axis or component; or the field that the condition reads
  ///         lies on another grid, or elsewhere on its cells
  void set_condition(int axis, side end, int component, component_condition const& condition);

  /// Throws usage_error if a condition cannot be used there.
  void check_condition(int axis, int component, component_condition const& condition) const;

  /// Grows when steps have to be planned anew. The same on all ranks.
  int times_changed() const noexcept { return times_widened + times_sources_changed; }

  /// True if all ghosts of a component beyond borders depend on nothing but their places.
  bool has_fixed_borders(int component) const;

  /// The field whose values a condition reads.
  /// @throws usage_error  it is gone
  std::shared_ptr<field_state> source_of(filled_border const& filled, int component) const;

  /// Throws usage_error if a border with ghosts has no condition for a component.
  void check_borders() const;

  /// Fills the ghosts of the newest level in `part` beyond all borders.
  void fill_borders(box3 const& part, by_threads threads) const;

  /// In checked mode: notes that a component's ghosts in `part`, beyond a border, have been filled in
  /// a buffer. A ghost is current if its mirror image is, and what the condition reads of another field;
  /// or always, if the condition is fixed.
  void note_filled(std::shared_ptr<std::byte> const& buffer, filled_border const& by, int component,
                   box3 const& part) const;

  /// In checked mode: notes that owned values of all buffers have changed.
  void note_change() const;

  /// In checked mode: the stamps of a buffer, for a view of it; else nullptr. Local.
  ghost_stamps* stamps(std::shared_ptr<std::byte> const& buffer) const;

  /// In checked mode: notes that the caller has filled all ghosts of the newest level.
  void vouch_for_ghosts() const;

  /// Refuses a component or level that there is not.
  /// @throws usage_error  on this rank
  void check_view(int component, int level) const;

  /// In checked mode: what exchanges of the newest level tell; else nullptr.
  /// @param out_of_reach_too  they bring ghosts where the neighborhood has no offset, too
  std::shared_ptr<array_watch> watch(bool out_of_reach_too) const;

private:
  void check_axis(int axis) const;
  void check_source(border_source const& source) const;
  border_inputs inputs_of(filled_border const& filled, int component) const;
  bool may_read_beside(filled_border const& filled, int component, index3 const& at) const;
  std::shared_ptr<std::byte> new_buffer() const;
  void keep_stamps(std::shared_ptr<std::byte> const& from, box3 const& kept,
                   std::shared_ptr<std::byte> const& to) const;
  void widen(ghost_width<3> const& wider);

  std::vector<std::byte> first_value_;
  bool is_bool_;
  char const* lasting_name_; ///< lives as long as the program
};

/// Makes the state of a field, as its constructor does.
std::shared_ptr<field_state> make_field_state(shared_space space, std::string name,
                                              field_options const& options,
                                              std::span<std::byte const> first_value, bool is_bool);

} // namespace seam::detail
