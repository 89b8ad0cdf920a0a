/// Mesh bodies: what a kernel of steps on a mesh computes, without the types of its values.
#pragma once

#include <seam/mesh/roles/entity_watch.hpp>
#include <seam/mesh/space/entity_rows.hpp>

#include <memory>
#include <span>

namespace seam::detail {

/// A call of a kernel for the entities of a tile.
struct mesh_call {
  step_kernel const& kernel;
  bound_access const* accesses; ///< [accesses of the kernel]
  int worker;
  Mesh const& mesh;
  int dimension;                 ///< of the entities at which it is called
  std::span<local_id const> at;  ///< these entities
  target_list targets{};         ///< [at] what it adds to
  adjacency const* list{};       ///< of the user's own, by which the kernel has neighbors, or null
  entity_rows const* rows_at{};  ///< whose rows of `at` those of the targets are, or null
  step_region const* computed{}; ///< that gets values; null: a trial without effect
  bool counts = false;           ///< what it contributes to values; else other ranks count it
};

/// Takes the pieces that steps compute, and hands their entities to its kernel.
class mesh_body : public step_body {
public:
  void compute(step_kernel const& kernel, step_call const& call) const final;
  std::shared_ptr<piece_plan const> plan(step_kernel const& kernel,
                                         step_region const& computed) const final;
  bool is_watchable() const final { return true; }
  void probe(step_kernel const& kernel, step_recorder& recorder) const final;

  /// Calls the kernel at all entities of a call.
  virtual void compute(mesh_call const& call) const = 0;

  /// Calls it there with views that tell `watch` what they are asked for.
  /// @throws usage_error  the kernel does what it does not declare
  virtual void compute_watched(mesh_call const& call, entity_watch& watch) const = 0;

  // Of the declaration.
  step_fields fields; ///< [accesses]
  int dimension = 0;  ///< of the entities at which the kernel is called
};

} // namespace seam::detail
