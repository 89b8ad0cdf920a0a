/// Measures of entities: their corners, and their length, area or volume.
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/shapes/vector3.hpp>

#include <array>
#include <span>

namespace seam::detail {

/// An entity's vertices with their places.
struct corner_list {
  std::array<local_id, 8> ids{};
  std::array<vector3, 8> where{};
  int count = 0;

  std::span<local_id const> vertices() const { return std::span(ids).first(count); }
  std::span<vector3 const> places() const { return std::span(where).first(count); }
};

/// The vertices of an entity, in an order that is the same on all ranks, so that all ranks compute
/// the same bits. Vertices of a volume are in the order of its shape. Vertices of a line or polygon
/// begin with the least id and go toward the lesser of its two neighbors, since ranks may list them
/// from another vertex on, and in the other direction.
/// Local.
corner_list corners_of(Mesh const& mesh, int dimension, local_id entity);

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
