/// The scale of a picture: a bar of colors with their values, and numbers along its sides.
///
///      20 +--------+   +-+ 1.5
///         |        |   | |
///      10 |picture |   | | 0.75
///         |        |   | |
///       0 +--------+   +-+ 0
///         0   10  20
#pragma once

#include <seam/framework/files/color_map.hpp>
#include <seam/framework/files/picture.hpp>

#include <optional>
#include <utility>

namespace seam::detail {

/// What the scale tells.
struct picture_scale {
  color_map const& colors;
  std::pair<double, double> values; ///< of the first and the last color

  /// Numbers at the left and the right end, and at the bottom and the top; none: no numbers there.
  std::optional<std::pair<double, double>> across = {}, upright = {};
};

/// Returns `drawn` with its scale around it, on white.
/// Local.
picture with_scale(picture const& drawn, picture_scale const& scale);

} // namespace seam::detail
