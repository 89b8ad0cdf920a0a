/// Colors of entities that read each other while they change: those of one color are computed together.
#pragma once

#include <seam/exchange/steps/regions/step_region.hpp>
#include <seam/mesh/space/entity_rows.hpp>

#include <vector>

namespace seam::detail {

/// The entities of each color, copies included, of the graph of entities of which one is in the other's row. It
/// depends on ids alone. As many colors on all ranks, at least two.
/// Collective: over mesh.base().
std::vector<step_region> find_colors(Mesh const& mesh, entity_rows const& rows);

} // namespace seam::detail
