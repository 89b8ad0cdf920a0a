/// Orientation: which way round a cell lists its vertices, and how it is turned over.
///
///     3---2                      0---1
///     |   |  counterclockwise    |   |  clockwise: turned over, it is 0 3 2 1
///     0---1                      3---2
#pragma once

#include <seam/mesh/shapes/shape.hpp>
#include <seam/mesh/shapes/vector3.hpp>

#include <iterator>
#include <span>
#include <utility>

namespace seam::detail {

/// The mean of some points.
vector3 mean(std::span<vector3 const> points);

/// The sum of value_of(a, b) over the edges from a to b around a polygon.
template <class ValueOf>
double sum_around(std::span<vector3 const> corners, ValueOf value_of) {
  double sum = 0;
  for (int k = 0; k < std::ssize(corners); ++k)
    sum += value_of(corners[k], corners[(k + 1) % corners.size()]);
  return sum;
}

/// The volume of a solid, below 0 if it is turned inside out: the sum of the tetrahedra from its
/// center to triangles of its faces. [length^3]
/// @param corners  in the order of the shape
/// Local.
double signed_volume(shape of, std::span<vector3 const> corners);

/// 1 if a line leads along the first axis, a polygon lists its vertices counterclockwise in the
/// plane of the first two axes, or the faces of a solid look outwards; -1 if it is the other way
/// round; 0 if the cell is so flat that rounding errors decide.
/// Local.
int orientation_of(shape of, std::span<vector3 const> corners);

/// Reverses the orientation of a cell, by exchanging vertices, or what belongs to them.
/// @param vertices  [at least num_vertices_of(of)]
/// Local.
template <class T>
void turn_over(shape of, std::span<T> vertices) {
  auto const exchange = [&](int a, int b) { std::swap(vertices[a], vertices[b]); };
  switch (of) {
  case shape::point: break;
  case shape::line: exchange(0, 1); break;
  case shape::triangle:
  case shape::tetrahedron: exchange(1, 2); break;
  case shape::quadrilateral:
  case shape::pyramid: exchange(1, 3); break;
  case shape::prism:
    exchange(1, 2);
    exchange(4, 5);
    break;
  case shape::hexahedron:
    exchange(1, 3);
    exchange(5, 7);
    break;
  }
}

} // namespace seam::detail
