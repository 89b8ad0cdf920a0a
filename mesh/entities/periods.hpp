/// Periods: the translations by which a mesh repeats itself, found from how far joined vertices lie
/// apart.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/shapes/vertex_image.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// Two vertices, and the vector from the second to the first. [length]
struct displacement {
  vector3 by{};
  global_id vertex = 0, other = 0;
};

/// Finds at most 3 independent vectors of which all displacements are integer multiples, up to 1e-6
/// of the longest: the shortest displacements. A displacement of 0 needs none.
/// @throws usage_error  there are none: vertices do not match, or are turned (on all ranks)
/// Collective: over `over`. The same on all ranks.
std::vector<vector3> find_periods(Communicator const& over, std::span<displacement const> all);

/// The multiples of the periods nearest to a vector. Local.
vertex_image nearest_image(vector3 const& by, std::span<vector3 const> periods);

} // namespace seam::detail
