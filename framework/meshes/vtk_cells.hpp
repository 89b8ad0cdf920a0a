/// VTK's numbers of cell types.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <cstdint>
#include <optional>

namespace seam::detail {

std::uint8_t vtk_type_of(shape kind) noexcept;

/// The shape of a VTK cell type; nothing if seam has no such shape.
std::optional<shape> shape_of_vtk_type(std::int64_t type) noexcept;

} // namespace seam::detail
