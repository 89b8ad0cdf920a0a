/// Measures: the length, area or volume of an entity.
#pragma once

#include <seam/mesh/entities/mesh.hpp>

namespace seam {

/// The length of a line, the area of a polygon, the volume of a cell of three dimensions; 1 of a
/// point. Faces that are not plane are taken for triangles around their center. The same bits on
/// all ranks that have the entity. [length^dimension] Local.
double measure(Mesh const& mesh, int dimension, local_id entity);

/// The distance of two places. [length] Local.
double distance(std::array<double, 3> const& one, std::array<double, 3> const& other);

} // namespace seam
