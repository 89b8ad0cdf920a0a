/// Color maps: the colors of numbers between 0 and 1 in a picture.
#pragma once

#include <cstdint>
#include <vector>

namespace seam {

/// A color of the sRGB space, 0 to 255 each.
struct color {
  std::uint8_t red = 0, green = 0, blue = 0;

  friend bool operator==(color const&, color const&) = default;
};

/// Colors for the numbers from 0 to 1, and one for NaN. An immutable value.
class color_map {
public:
  /// Makes a map that interpolates between `stops`, which lie evenly between 0 and 1.
  /// @param stops         [at least 1]
  /// @param not_a_number  color of NaN
  /// @throws usage_error  there are no stops
  explicit color_map(std::vector<color> stops, color not_a_number = {255, 0, 255});

  /// Returns the color of `value`, clamped to the interval from 0 to 1.
  /// Local.
  color operator()(double value) const;

private:
  std::vector<color> stops_;
  color not_a_number_;
};

/// Violet over green to yellow: equal steps look equal, also without color and to the color-blind.
/// The default for fields. Source: the map of that name by S. van der Walt and N. Smith.
color_map viridis();

/// Twelve colors that differ for the color-blind, too, for numbers of parts and the like: number k has
/// color k of 0 to 11 if the picture's range is {0, 11}.
/// Source: M. Krzywinski, "Color palettes for color blindness" (mk.bcgsc.ca/colorblind).
color_map distinct_colors();

/// Near-white to near-black: for bytes that are 0 or 1, such as the cells of Game of Life.
color_map ink_on_paper();

} // namespace seam
