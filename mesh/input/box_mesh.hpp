/// Box meshes: a box of regular cells, for tests, examples and measurements.
///
///     Mesh const mesh(comm, box_mesh(comm, shape::tetrahedron, {20, 20, 20}));
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <array>

namespace seam {

/// This rank's share of a box that is divided into bricks, and the bricks into cells: a brick is
/// one quadrilateral or hexahedron, two triangles, two prisms, six tetrahedra, or six pyramids
/// around a vertex in the middle; lines divide an interval.
///
/// Ranks share the bricks evenly, in their order, the first axis being the fastest. The ends of the
/// box have tags 1 and 2 along the first axis, 3 and 4 along the second, 5 and 6 along the third, and
/// the names "x0", "x1", "y0", "y1", "z0" and "z1".
/// Nothing is gathered: each rank makes its own share.
/// @param of       any shape but point; bricks have its dimension
/// @param bricks   along each axis, at least 1; further axes are ignored
/// @param lengths  of the box, which begins at 0 [length]
/// @throws usage_error  a number of bricks is below 1, the shape is a point, or a machine has too
///         little memory (on all ranks)
/// Collective: over `over`.
mesh_input box_mesh(Communicator const& over, shape of, std::array<std::int64_t, 3> bricks,
                    std::array<double, 3> lengths = {1, 1, 1});

} // namespace seam
