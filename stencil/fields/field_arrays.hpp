/// Field arrays: the memory of a field whatever the type of its values: where they lie on the grid, the
/// ghosts around them, and buffers.
///
///     buffer          [components][n0 + ghosts]...[nD-1 + ghosts], the last axis contiguous
///     buffers         level 0, level -1, ..., and spare ones, into which steps compute new values
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/stencil/fields/buffer_memory.hpp>
#include <seam/stencil/fields/grid.hpp>

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

/// What is known of the values of a field: the type of which they are, or of which they consist.
enum class value_kind : std::uint8_t { other, boolean, floats, doubles, long_doubles };

/// A step field whose values lie in boxes around blocks of a grid.
class field_arrays : public step_field {
public:
  /// @param first_value  of all elements of a new buffer, as bytes
  /// @param lent         the memory in which the newest level lies, with its values
  /// @throws usage_error  no components, or no levels; lent memory does not fit (on all ranks)
  /// Collective: over the grid.
  field_arrays(shared_space space, std::string name, field_options const& options,
               std::span<std::byte const> first_value, value_kind values, lent_memory const& lent);

  shared_space space;
  field_options options;
  value_kind values;
  ghost_width<3> width;  ///< of the ghosts that are stored
  int times_widened = 0; ///< on any rank, so the same on all

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
  component_memory component(std::shared_ptr<std::byte> const& buffer, int component) const {
    return component_in(buffer.get(), component, local(), element_bytes);
  }

  /// The region of a component's values in its buffer. [global indices]
  region region_of(int component, box3 const& global) const;

  std::int64_t bytes_of_component() const { return local().num_cells() * element_bytes; }

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

  // What steps ask.
  step_space const& over() const noexcept override { return *space; }
  unsigned kind() const noexcept override { return options.on.low_axes; }
  step_region stored() const override { return shift(local(), space->owned(options.on).lo); }
  void require(step_region const& least, int num_buffers) override;
  std::int64_t num_bytes() const override { return bytes_of_component() * components; }
  std::string ghosts_in_words() const override;
  bool is_like(step_field const& other) const override;
  bool is_lent() const noexcept override { return lent_ != nullptr; }
  void return_to_lender() override;
  void note_change() const override;
  step_region values_at(step_region const& places) const override;
  std::vector<step_region> parts_of(step_region const& region) const override;
  std::vector<region> regions_of(int component, step_region const& part) const override {
    return {region_of(component, part.box())};
  }
  bound_access bound(step_kernel const& kernel, step_access const& access,
                     std::shared_ptr<std::byte> const& from,
                     std::shared_ptr<std::byte> const& to) const override;

private:
  std::shared_ptr<std::byte> new_buffer() const;
  std::shared_ptr<std::byte> with_own_stamps(std::shared_ptr<std::byte> const& memory) const;
  void widen(ghost_width<3> const& wider);

  std::shared_ptr<std::byte> lent_; ///< the caller's memory, or null
  std::vector<std::byte> first_value_;
  char const* lasting_name_; ///< lives as long as the program
};

} // namespace seam::detail
