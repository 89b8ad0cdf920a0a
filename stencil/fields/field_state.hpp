/// Field states: what seam knows of a field whatever the type of its values: its arrays and the
/// conditions on its borders.
#pragma once

#include <seam/stencil/fields/field_arrays.hpp>
#include <seam/stencil/fields/filled_borders.hpp>
#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

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
class field_state final : public field_arrays {
public:
  /// As field_arrays.
  /// Collective: over the grid.
  field_state(shared_space space, std::string name, field_options const& options,
              std::span<std::byte const> first_value, value_kind values, lent_memory const& lent);
  ~field_state() override;

  int times_sources_changed = 0;      ///< what conditions on borders read; the same on all
  std::vector<filled_border> borders; ///< in the order in which they are filled

  /// Uses a condition on a border.
  /// @param component  -1: all
  /// @throws usage_error  there is no such axis or component; or the field that the condition reads
  ///         lies on another grid, or elsewhere on its cells
  void set_condition(int axis, side end, int component, component_condition const& condition);

  /// Throws usage_error if a condition cannot be used there.
  void check_condition(int axis, int component, component_condition const& condition) const;

  /// @throws usage_error  a border with ghosts has no condition for a component; on this rank
  void check_borders() const;

  /// Fills the ghosts of the newest level in `part` beyond all borders, outside of steps. Local.
  /// @param threads  the caller alone: where it computes tile by tile
  /// @throws usage_error  a border has no condition; or one sees more values than the block at the border
  ///         has (with ghosts, except by tiles; on all ranks)
  void fill_borders(box3 const& part, by_threads threads) const;

  /// True if all ghosts of a component beyond borders depend on nothing but their places.
  bool has_fixed_borders(int component) const;

  /// The field whose values a condition reads.
  /// @throws usage_error  it is gone
  std::shared_ptr<field_state> source_of(filled_border const& filled, int component) const;

  /// The values next to borders that conditions for any component see.
  /// @param own  conditions of a kernel, where it has some; may be null
  seen_values seen(step_conditions const* own) const;

  /// Border number `k` with the condition for a component.
  /// @param own  conditions of a kernel, where it has some; may be null
  filled_border const& border_of(step_conditions const* own, int k, int component) const;

  // What steps ask.
  void require(step_region const& least, int num_buffers) override;
  int times_changed() const noexcept override { return times_widened + times_sources_changed; }
  step_needs needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                    std::vector<supply_reader> const& readers, int component) const override;
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
  void check_source(border_source const& source) const;
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

/// In checked mode: notes that a component's ghosts in `part`, beyond a border, have been filled in the
/// newest buffer. A ghost is current if its mirror image is, and what the condition reads of another
/// field; or always, if the condition is fixed. Local.
void note_filled(field_state const& field, filled_border const& by, int component,
                 box3 const& part);

/// Makes the state of a field, as its constructor does.
std::shared_ptr<field_state> make_field_state(shared_space space, std::string name,
                                              field_options const& options,
                                              std::span<std::byte const> first_value,
                                              value_kind values, lent_memory const& lent = {});

} // namespace seam::detail
