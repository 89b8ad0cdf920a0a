/// Gmsh's numbers for kinds of elements.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace seam::detail {

/// An element type: a shape, whose vertices come first, and of second order further nodes.
struct msh_element_type {
  shape kind{};
  int num_nodes = 0;

  bool is_second_order() const noexcept { return num_nodes > num_vertices_of(kind); }
};

inline constexpr int most_msh_nodes = 27; ///< of an element

/// The type of this number, if its shape is one of seam's and its order at most two.
std::optional<msh_element_type> find_msh_type(std::int64_t number) noexcept;

/// The reason why a type is not read: "element type 29, a tetrahedron of third to fifth order
/// (expected ...)".
std::string refusal_of_msh_type(std::int64_t type);

} // namespace seam::detail
