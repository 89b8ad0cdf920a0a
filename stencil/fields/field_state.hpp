/// Field states: what seam knows of a field whatever the type of its values: its place on the grid,
/// its ghosts, its buffers and the conditions on its borders.
///
///     buffer          [components][n0 + ghosts]...[nD-1 + ghosts], the last axis contiguous
///     buffers         level 0, level -1, ..., and spare ones, into which steps compute new values
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/exchange/steps/regions/box.hpp>
#include <seam/exchange/steps/stamps/view_watch.hpp>
#include <seam/stencil/fields/filled_borders.hpp>
#include <seam/stencil/fields/grid.hpp>
#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/needed_values.hpp>

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

/// Memory of the caller's in which a field lies: that of a Kokkos view.
struct lent_memory {
  std::shared_ptr<std::byte> first;  ///< keeps the view alive; null: the field's memory is its own
  std::vector<std::int64_t> extents; ///< of the view, [axes] or [components, axes]
  bool is_dense = true;              ///< the last axis contiguous, and no gaps
  bool is_owned = true;              ///< false: nothing keeps the memory but the caller
};

/// What is known of the values of a field: the type of which they are, or of which they consist.
enum class value_kind : std::uint8_t { other, boolean, floats, doubles, long_doubles };

/// A field without the type of its values. Shared by the field, its halos, and steps.
class field_state final : public step_field {
public:
  /// @param first_value  of all elements of a new buffer, as bytes
  /// @param lent         the memory in which the newest level lies, with its values
  /// @throws usage_error  no components, or no levels; lent memory does not fit (on all ranks)
  /// Collective: over the grid.
  field_state(shared_space space, std::string name, field_options const& options,
              std::span<std::byte const> first_value, value_kind values, lent_memory const& lent);
  ~field_state() override;

  shared_space space;
  field_options options;
  value_kind values;
  ghost_width<3> width;               ///< of the ghosts that are stored
  int times_widened = 0;              ///< on any rank, so the same on all
  int times_sources_changed = 0;      ///< what conditions on borders read; the same on all
  std::vector<filled_border> borders; ///< in the order in which they are filled

  /// Notes that a caller has had access to a component's values, or to all, and may have set them.
  void note_set(int component) { is_set = origins[component].is_set = true; }
  void note_set() {
    for (int c = 0; c < components; ++c)
      note_set(c);
  }

  /// Owned values, and values with ghosts, in indices relative to the block.
  box3 owned() const { return {{}, space->owned(options.on).extents()}; }
  box3 local() const { return grow(owned(), width.below, width.above); }

  /// The memory of a component in a buffer.
  component_memory component(std::shared_ptr<std::byte> const& buffer, int component) const;

  /// The region of a component's values in its buffer. [global indices]
  region region_of(int component, box3 const& global) const;

  std::int64_t bytes_of_component() const { return local().num_cells() * element_bytes; }

  bool is_lent() const noexcept override { return lent_ != nullptr; }
  void return_to_lender() override;

  /// Uses a condition on a border.
  /// @param component  -1: all
  /// @throws usage_error  there is no such axis or component; or the field that the condition reads
  ///         lies on another grid, or elsewhere on its cells
  void set_condition(int axis, side end, int component, component_condition const& condition);

  /// Throws usage_error if a condition cannot be used there.
  void check_condition(int axis, int component, component_condition const& condition) const;

  /// True if all ghosts of a component beyond borders depend on nothing but their places.
  bool has_fixed_borders(int component) const;

  /// The field whose values a condition reads.
  /// @throws usage_error  it is gone
  std::shared_ptr<field_state> source_of(filled_border const& filled, int component) const;

  /// The values next to borders that conditions for any component see.
  /// @param own  conditions of a kernel, where it has some; may be null
  seen_values seen(step_conditions const* own) const;

  /// Throws usage_error if a border with ghosts has no condition for a component.
  void check_borders() const;

  /// Fills the ghosts of the newest level in `part` beyond all borders.
  /// @param threads  the caller alone: where it computes tile by tile
  /// @throws usage_error  a border has no condition; or one sees more values than the block at the
  ///         border has (with ghosts, except by tiles; on all ranks)
  void fill_borders(box3 const& part, by_threads threads) const;

  /// In checked mode: notes that a component's ghosts in `part`, beyond a border, have been filled in
  /// a buffer. A ghost is current if its mirror image is, and what the condition reads of another field;
  /// or always, if the condition is fixed.
  void note_filled(std::shared_ptr<std::byte> const& buffer, filled_border const& by, int component,
                   box3 const& part) const;

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

  /// Border number `k` with the condition for a component.
  /// @param own  conditions of a kernel, where it has some; may be null
  filled_border const& border_of(step_conditions const* own, int k, int component) const;

  // What steps ask.
  step_space const& over() const noexcept override { return *space; }
  unsigned kind() const noexcept override { return options.on.low_axes; }
  step_region stored() const override { return shift(local(), space->owned(options.on).lo); }
  void require(step_region const& least, int num_buffers) override;
  int times_changed() const noexcept override { return times_widened + times_sources_changed; }
  std::int64_t num_bytes() const override { return bytes_of_component() * components; }
  std::string ghosts_in_words() const override;
  bool is_like(step_field const& other) const override;
  void note_change() const override;
  step_needs needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                    std::vector<supply_reader> const& readers, int component) const override;
  std::vector<step_region> parts_of(step_region const& region) const override;
  std::vector<region> regions_of(int component, step_region const& part) const override {
    return {region_of(component, part.box())};
  }
  bound_access bound(step_kernel const& kernel, step_access const& access,
                     std::shared_ptr<std::byte> const& from,
                     std::shared_ptr<std::byte> const& to) const override;
  std::vector<planned_fill> copies(std::shared_ptr<std::byte> const& buffer, int component,
                                   travelling_part const& part) const override;
  read_beyond beyond(step_conditions const* own) const override;
  void check(step_dataflow const& flow, step_fill const& fill, int rank,
             computed_regions const& regions) const override;
  std::vector<fill_group> fills(step_dataflow const& flow, step_fill const& fill,
                                computed_regions const& regions,
                                std::vector<std::shared_ptr<std::byte>> const& buffers_of_arrays,
                                step_tiling& tiles) const override;
  void adapt(step_conditions& own) const override;

private:
  void check_axis(int axis) const;
  void check_seen(bool by_tiles) const;
  void check_source(border_source const& source) const;
  border_inputs inputs_of(filled_border const& filled, int component) const;
  bool may_read_beside(filled_border const& filled, int component, index3 const& at) const;
  std::shared_ptr<std::byte> new_buffer() const;
  void keep_stamps(std::shared_ptr<std::byte> const& from, box3 const& kept,
                   std::shared_ptr<std::byte> const& to) const;
  void widen(ghost_width<3> const& wider);
  void check_lent(lent_memory const& lent) const;
  ghost_width<3> ghosts_of(lent_memory const& lent) const;
  std::shared_ptr<std::byte> with_own_stamps(std::shared_ptr<std::byte> const& memory) const;

  std::shared_ptr<std::byte> lent_; ///< the caller's memory, or null
  std::vector<std::byte> first_value_;
  char const* lasting_name_; ///< lives as long as the program
};

/// Conditions that a kernel has for a field, border by border as the field's; where one is missing the
/// field's holds.
class own_borders final : public step_conditions {
public:
  std::vector<filled_border> borders;
};

/// The borders of a kernel's own conditions, which are made if there are none.
std::vector<filled_border>& own_borders_of(field_state const& field,
                                           std::shared_ptr<step_conditions>& conditions);

/// Makes the state of a field, as its constructor does.
std::shared_ptr<field_state> make_field_state(shared_space space, std::string name,
                                              field_options const& options,
                                              std::span<std::byte const> first_value,
                                              value_kind values, lent_memory const& lent = {});

} // namespace seam::detail
