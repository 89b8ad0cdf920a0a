#include <seam/framework/meshes/vtk_cells.hpp>

#include <algorithm>
#include <iterator>

namespace seam::detail {
namespace {

/// VTK's cell types, in the order of the shapes.
constexpr std::uint8_t vtk_types[num_shapes] = {1, 3, 5, 9, 10, 14, 13, 12};

} // namespace

std::uint8_t vtk_type_of(shape kind) noexcept { return vtk_types[static_cast<int>(kind)]; }

std::optional<shape> shape_of_vtk_type(std::int64_t type) noexcept {
  auto const* const found = std::ranges::find(vtk_types, type);
  if (found == std::end(vtk_types))
    return std::nullopt;
  return static_cast<shape>(found - std::begin(vtk_types));
}

} // namespace seam::detail
