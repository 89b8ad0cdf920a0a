/// Mesh spaces: what the planners of steps ask about the entities of a mesh (see step_space.hpp).
///
/// Kinds are dimensions, regions lists of local numbers: own entities, then copies. A rank computes at
/// its own entities; what a kernel reads beyond them are copies, whose owners send them. No rank knows
/// what others need, so each asks the owners once for each plan.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/mesh/space/entity_rows.hpp>
#include <seam/mesh/space/mesh_set.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seam::detail {

class mesh_space final : public step_space {
public:
  explicit mesh_space(Mesh mesh);

  Mesh const& mesh() const noexcept { return mesh_; }

  /// All local entities of a dimension.
  step_region const& stored_values(unsigned kind) const { return stored_[kind]; }

  /// The adjacency from one dimension to another; a list of the user's own, once for all kernels that
  /// have the same. Planning is one thread's.
  std::shared_ptr<entity_rows const> rows(int from, int to) const;
  std::shared_ptr<entity_rows const> rows(adjacency const& list, int from, int to) const;

  /// The sources in a set that add to the entities of a dimension.
  std::shared_ptr<entity_sources const> sources(mesh_set const& at, int targets) const;

  // What steps ask.
  int num_axes() const noexcept override { return 1; }
  step_region owned_values(unsigned kind) const override { return owned_[kind]; }
  int num_passes(step_kernel const& kernel) const override { return kernel.num_colors; }
  step_region turn_of(step_kernel const& kernel, int rank, int pass) const override;
  std::string against_fusion(step_kernel const& kernel) const override;
  std::string restrictions_in_words(step_kernel const& kernel) const override;
  std::string calls_in_words(step_kernel const& kernel, std::int64_t calls) const override;
  std::vector<step_region> computed(step_kernel const& kernel,
                                    step_region const& region) const override;
  step_region read_by(step_kernel const& kernel, step_access const& access,
                      step_region const& places) const override;
  bool knows_changes(step_kernel const& kernel) const override;
  step_region changed(step_kernel const& kernel, int pass) const override;
  void check(step_program const& program, step_kernel const& kernel) const override;
  std::string against(step_dataflow const& flow) const override;

  /// Finds the colors of a kernel in colors.
  /// Collective: over base().
  void prepare(step_program const& program, step_kernel& kernel, int parts_in_order) const override;

  /// Sends the ids of the copies that this rank needs to their owners.
  /// Collective: over base().
  step_partners partners(
      step_dataflow const& flow,
      std::function<std::vector<asked_part>(int rank)> const& needed_by) const override;
  std::unique_ptr<step_tiling> tiling(step_dataflow const& flow, computed_regions const& regions,
                                      tile_settings const& settings) const override;

private:
  struct known_sources {
    std::shared_ptr<std::vector<char> const> set;
    int from, targets;
    std::shared_ptr<entity_sources const> sources;
  };

  local_id own_with(unsigned kind, global_id id) const;

  Mesh mesh_;
  std::vector<step_region> owned_, stored_; ///< [dimensions]
  mutable std::map<std::pair<int, int>, std::shared_ptr<entity_rows const>> rows_;
  mutable std::vector<std::shared_ptr<entity_rows const>> lists_;
  mutable std::vector<known_sources> sources_;
};

/// The space of steps on a mesh, one for all of them.
std::shared_ptr<mesh_space const> space_of(Mesh const& mesh);

inline mesh_space const& mesh_space_of(step_kernel const& kernel) {
  return static_cast<mesh_space const&>(*kernel.space);
}

/// Null if the kernel does not add.
inline entity_sources const* sources_of(step_kernel const& kernel) {
  return static_cast<entity_sources const*>(kernel.sources.get());
}

inline entity_rows const& rows_of(step_access const& access) {
  return static_cast<entity_rows const&>(*access.reach);
}

/// "cells", "sides", "vertices" or "edges". Local.
char const* name_of_entities(Mesh const& mesh, int dimension);

/// Why a mesh has too few ghost cells for the steps of a flow; empty if it has enough. Steps without
/// messages between them compute at copies what later kernels read there, each kernel one hop farther.
/// Local; the same on all ranks.
std::string against_layers(mesh_space const& space, step_dataflow const& flow);

} // namespace seam::detail
