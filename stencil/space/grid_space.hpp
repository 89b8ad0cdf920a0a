/// Grid spaces: what planners ask about a grid, whatever the number of its axes (see three_axes.hpp).
#pragma once

#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/stencil/space/centering.hpp>
#include <seam/stencil/space/ghosts.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// The declaration of a space. Axes that the grid lacks have one cell and one process, and are not
/// periodic.
struct space_options {
  int num_axes;
  index3 cells;
  std::array<bool, 3> periodic;
  std::array<int, 3> processes;
  std::array<double, 3> lower, upper; ///< corners of the domain [unit of length]
  std::vector<index3> offsets;        ///< of the neighborhood

  int first_axis() const noexcept { return 3 - num_axes; }
};

/// The values of a grid's fields, and which rank owns them. Immutable; boxes are in global indices.
class grid_space final : public step_space {
public:
  /// @param base  all processes of the grid
  grid_space(space_options options, Communicator base);

  int num_axes() const noexcept override { return options_.num_axes; }
  int first_axis() const noexcept { return options_.first_axis(); }

  /// The axis of three that users know by the number `axis`; and the other way round.
  int axis_of(int axis) const noexcept { return axis + first_axis(); }
  int number_of(int axis) const noexcept { return axis - first_axis(); }

  /// The entries for the axes that the grid has, for messages.
  template <class T>
  std::span<T const> entries_of(std::array<T, 3> const& values) const {
    return last_entries(values, num_axes());
  }

  index3 const& cells() const noexcept { return options_.cells; }
  std::array<bool, 3> const& periodic() const noexcept { return options_.periodic; }
  bool is_periodic(int axis) const noexcept { return options_.periodic[axis]; }
  std::array<int, 3> const& processes() const noexcept { return options_.processes; }
  std::array<double, 3> const& lower() const noexcept { return options_.lower; }
  std::array<double, 3> const& spacing() const noexcept { return spacing_; }

  /// The offsets of the neighborhood, and the ghosts around every block for it.
  std::vector<index3> const& offsets() const noexcept { return options_.offsets; }
  std::vector<ghost_side> const& sides() const noexcept { return sides_; }
  ghost_width<3> const& ghosts() const noexcept { return ghosts_; }

  /// True if values at `on` lie on the low sides of cells along an axis.
  bool is_low(centering on, int axis) const noexcept {
    return axis >= first_axis() && on.is_low(number_of(axis));
  }

  /// All values in the domain; those that this rank, or `rank`, owns.
  box3 domain(centering on = on_cells) const { return values_on({{}, cells()}, on); }
  box3 owned(centering on = on_cells) const { return values_on(owned_, on); }
  box3 owned_by(int rank, centering on = on_cells) const;

  /// The global index of this rank's first cell.
  index3 const& first() const noexcept { return owned_.lo; }

  /// Those of some places at which there are values at `on`: all along periodic axes.
  box3 values_at(box3 places, centering on) const;

  /// Global indices as indices relative to this rank's block.
  box3 relative(box3 const& global) const { return shift(global, negated(owned_.lo)); }

  /// The processes' names, which have three coordinates.
  CartesianNaming const& naming() const noexcept { return naming_; }

  // What steps ask. Kinds are the axes on whose low sides values lie.
  step_region owned_values(unsigned kind) const override { return owned(centering{kind}); }
  int num_passes(step_kernel const& kernel) const override;
  step_region turn_of(step_kernel const& kernel, int rank, int pass) const override;
  std::string against_fusion(step_kernel const& kernel) const override;
  std::string restrictions_in_words(step_kernel const& kernel) const override;
  std::string passes_in_words(step_kernel const& kernel) const override;
  std::vector<step_region> computed(step_kernel const& kernel,
                                    step_region const& region) const override;
  step_region read_by(step_kernel const& kernel, step_access const& access,
                      step_region const& places) const override;
  void check(step_program const& program, step_kernel const& kernel) const override;
  void prepare(step_program const& program, step_kernel& kernel, int parts_in_order) const override;
  step_partners partners(
      step_dataflow const& flow,
      std::function<std::vector<asked_part>(int rank)> const& needed_by) const override;
  std::unique_ptr<step_tiling> tiling(step_dataflow const& flow, computed_regions const& regions,
                                      tile_settings const& settings) const override;

private:
  box3 values_on(box3 cells, centering on) const;

  space_options options_;
  std::vector<ghost_side> sides_;
  ghost_width<3> ghosts_;
  CartesianNaming naming_;
  box3 owned_;
  std::array<double, 3> spacing_{};
};

using shared_space = std::shared_ptr<grid_space const>;

} // namespace seam::detail
