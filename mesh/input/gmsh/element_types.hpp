/// Gmsh's numbers for kinds of elements.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace seam::detail {

/// The shape of a Gmsh element type, if it is one of seam's.
std::optional<shape> shape_of_msh_type(std::int64_t type) noexcept;

/// The reason why a type has no shape: "element type 11, a tetrahedron of second order (expected
/// ...)".
std::string refusal_of_msh_type(std::int64_t type);

} // namespace seam::detail
