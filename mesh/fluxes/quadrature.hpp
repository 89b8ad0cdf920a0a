/// Quadrature: points inside the shapes of cells, and the values there of the finite element basis
/// functions of first order: one for each vertex, 1 at its own vertex and 0 at the others.
///
///     for (quadrature_point const& q : quadrature_of(shape::prism)) {
///       mapped_point const at = map_point(q, 3, corners);
///       integral += at.weight * f(at.where);
///     }
///
///     line, triangle, tetrahedron     linear
///     quadrilateral, hexahedron       linear along each axis
///     prism                           linear on the triangle, and along the third axis
///     pyramid                         on each parallel to the base as on a quadrilateral, linear
///                                     from the base to the top
///
/// Along a side the functions depend on the side's vertices alone, so that they are continuous
/// between neighbors of any shapes. Their linear combinations contain every linear function.
/// Source for pyramids: G. Bedrosian: Shape functions and integration formulas for
/// three-dimensional finite element analysis. Int. J. Numer. Methods Eng. 35, 1992; here the
/// functions of a hexahedron whose upper vertices coincide.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <array>
#include <span>

namespace seam {

/// A point of a quadrature rule, and the functions there. Vertices are in the order of the shape.
struct quadrature_point {
  double weight = 0;                             ///< along the reference axes
  std::array<double, 8> values{};                ///< [vertices] sum 1
  std::array<std::array<double, 3>, 8> slopes{}; ///< [vertices] along the reference axes
};

/// The points of a shape. Integrals of the functions, and of products of two of their gradients,
/// are exact on cells that are linear images of the reference shape.
/// Local.
std::span<quadrature_point const> quadrature_of(shape of);

/// A quadrature point in space.
struct mapped_point {
  std::array<double, 3> where{};
  double weight = 0;                 ///< the share of the entity's measure [length^dimension]
  std::array<double, 3> direction{}; ///< is reversed between points where the entity is folded
  std::array<std::array<double, 3>, 8> gradients{}; ///< [vertices] of the functions [1 / length]
};

/// Maps a point into an entity with these corners. Where the corners span nothing, weight is 0 and
/// gradients are not numbers.
/// @param dimension  of the entity, 0 to 3; lines and surfaces may lie in space in any way
/// @param corners    in the order of the shape
/// Local.
mapped_point map_point(quadrature_point const& point, int dimension,
                       std::span<std::array<double, 3> const> corners);

} // namespace seam
