/// Fields of a mesh as steps know them: arrays of rows, one for each local entity.
#pragma once

#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <memory>

namespace seam::detail {

/// A field whose newest values lie in its own memory between runs. A row counts as one value. Copies
/// are those that kernels have read last.
class mesh_step_field final : public step_field {
public:
  mesh_step_field(std::shared_ptr<mesh_space const> over, std::shared_ptr<mesh_field_state> state);

  /// True if the field has gone to another mesh.
  bool has_migrated() const { return !state_->mesh.is_same(space_->mesh()); }

  step_space const& over() const noexcept override { return *space_; }
  unsigned kind() const noexcept override { return kind_; }
  step_region stored() const override { return space_->stored_values(kind_); }
  void require(step_region const& least, int num_buffers) override;
  int times_changed() const noexcept override { return has_migrated() ? 1 : 0; }
  std::int64_t num_bytes() const override;
  char const* place_name() const override { return "entity"; }
  void return_to_lender() override;
  void note_change() const override { detail::note_change(*state_); }
  step_needs needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                    std::vector<supply_reader> const& readers, int component) const override;
  std::vector<region> regions_of(int component, step_region const& part) const override;
  bound_access bound(step_kernel const& kernel, step_access const& access,
                     std::shared_ptr<std::byte> const& from,
                     std::shared_ptr<std::byte> const& to) const override;

private:
  std::shared_ptr<mesh_space const> space_;
  std::shared_ptr<mesh_field_state> state_;
  unsigned kind_;
};

/// A field as steps know it, one for all of them.
std::shared_ptr<mesh_step_field> step_field_of(std::shared_ptr<mesh_field_state> const& state);

} // namespace seam::detail
