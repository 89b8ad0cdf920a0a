/// Tiles of a mesh: runs of own entities, which threads compute, and of copies, for fused steps. Those with
/// copies on other ranks come first, so that messages leave early.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/mesh/entities/mesh.hpp>

#include <vector>

namespace seam::detail {

class mesh_tiling final : public step_tiling {
public:
  /// @param flow, regions  outlive this
  /// @param extent         entities of a tile; 0: chosen
  mesh_tiling(Mesh const& mesh, std::int64_t extent, step_dataflow const& flow,
              computed_regions const& regions);

  std::vector<step_tile> of(int instance) override;
  int num_columns() const override { return num_columns_; }
  column_shares shares() const override { return shares_; }

private:
  struct tiles_of_kind {
    int first_column;
    std::vector<step_region> tiles;
  };

  void add_tiles(mesh_entities const& of, std::int64_t extent);

  step_dataflow const& flow_;
  computed_regions const& regions_;
  std::vector<tiles_of_kind> kinds_; ///< [dimensions]
  column_shares shares_;
  int num_columns_ = 0;
};

} // namespace seam::detail
