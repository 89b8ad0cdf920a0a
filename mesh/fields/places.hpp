/// Places: arithmetic with points and vectors in space, and the corners of entities.
#pragma once

#include <seam/mesh/entities/mesh.hpp>

#include <array>
#include <cmath>
#include <span>

namespace seam::detail {

/// x, y, z of a point, or a vector. [length]
using vector3 = std::array<double, 3>;

inline vector3 operator-(vector3 const& a, vector3 const& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline vector3 operator*(double factor, vector3 const& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

inline vector3& operator+=(vector3& a, vector3 const& b) {
  for (int axis = 0; axis < 3; ++axis)
    a[axis] += b[axis];
  return a;
}

inline double dot(vector3 const& a, vector3 const& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline vector3 cross(vector3 const& a, vector3 const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline double length(vector3 const& a) { return std::sqrt(dot(a, a)); }

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

} // namespace seam::detail
