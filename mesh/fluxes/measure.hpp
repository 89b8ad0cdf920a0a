/// Measures: the length, area or volume of an entity.
#pragma once

#include <seam/mesh/entities/mesh.hpp>

namespace seam::detail {

/// The length of a line, the area of a polygon, the volume of a cell of three dimensions; 1 for a
/// point. [length^dimension]
///
/// A face that is not plane counts as triangles around its center. All ranks that have the entity
/// get the same bits.
/// Local.
double measure(Mesh const& mesh, int dimension, local_id entity);

/// The distance between two places. [length]
/// Local.
double distance(std::array<double, 3> const& first, std::array<double, 3> const& second);

} // namespace seam::detail
