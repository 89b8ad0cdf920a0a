/// Arithmetic with points and vectors in space.
#pragma once

#include <array>
#include <cmath>

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

} // namespace seam::detail
