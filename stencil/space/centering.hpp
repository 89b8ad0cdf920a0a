/// Centerings: where on a cell the values of a field lie.
///
///     + - - c - - +         on_cells         one value at the center of each cell
///     |           |         on_faces(a)      at the middle of each face across axis a
///     f     o     |         on_corners       at each corner
///     |           |
///     k - - g - - +         o, f, g, k: index (i, j) of cells, of faces across axis 1 and across
///                           axis 0 (which points upwards here), and of corners
///
/// Values with the index of a cell lie on its low sides. A cell therefore has the faces (i, j) and
/// (i, j + 1) across axis 1, and a face (i, j) lies between the cells (i, j - 1) and (i, j).
///
/// Ownership: a rank owns the values with the indices of its cells. On an axis that is not periodic
/// there is one more layer of faces or corners than of cells, on the high border of the domain; the
/// ranks at that border own it. Values on borders are owned, not ghosts: kernels compute them.
#pragma once

namespace seam {

/// The axes along which values lie on the low sides of cells instead of their middles.
struct centering {
  unsigned low_axes = 0; ///< bit a stands for axis a

  constexpr bool is_low(int axis) const noexcept { return (low_axes >> axis & 1U) != 0; }

  friend bool operator==(centering const&, centering const&) = default;
};

inline constexpr centering on_cells{};
inline constexpr centering on_corners{~0U};

/// The middles of the faces across `axis`.
constexpr centering on_faces(int axis) noexcept { return {1U << axis}; }

} // namespace seam
