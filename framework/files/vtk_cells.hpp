/// VTK's numbers for kinds of cells.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <cstdint>
#include <optional>

namespace seam::detail {

std::uint8_t vtk_type_of(shape kind) noexcept;

/// The shape that VTK calls by this number, if it is one of seam's.
std::optional<shape> shape_of_vtk_type(std::int64_t type) noexcept;

} // namespace seam::detail
