/// Pictures of fields: PNG files, the last axis to the right and the one before it upward.
///
///     write_png(u, "u.png");                                    // viridis, from least to largest
///     write_png(alive, numbered_path("life.png", generation),
///               {.colors = ink_on_paper(), .range = {{0, 1}}, .upward = false});
///
/// A picture does not depend on the number of ranks: its cells are gathered, rank 0 draws them.
/// Large fields are averaged over squares of cells, small ones drawn with squares of pixels.
#pragma once

#include <seam/framework/files/color_map.hpp>
#include <seam/stencil/fields/field.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seam {

/// Options of a picture, the same on all ranks.
struct picture_options {
  color_map colors = viridis();

  /// Values with the first and the last color. Default: the least and the largest shown.
  std::optional<std::pair<double, double>> range = {};

  bool upward = true; ///< index 0 of the upright axis at the bottom, else at the top

  /// A bar of the colors with their values beside the picture, and the indices of cells along its sides.
  bool with_scale = false;

  /// The two axes change places: in 2D axis 0 goes to the right, and axis 1 upward.
  bool transposed = false;

  int slice_axis = 0; ///< the axis across which a 3D field is cut

  /// The layer of cells on that axis that is drawn. Default: the middle one.
  std::optional<std::int64_t> slice = {};

  std::int64_t wanted_width = 512;  ///< fewer cells are enlarged to at least this [pixels]
  std::int64_t largest_side = 2048; ///< more cells are reduced to at most this [pixels]
};

/// Pixels, row by row from the top. A plain value.
struct picture {
  std::int64_t width = 0, height = 0; ///< [pixels]
  std::vector<color> pixels;          ///< [height][width]
};

/// Numbers to be drawn, row by row from the top. A plain value.
struct shown_numbers {
  std::int64_t width = 0, height = 0;
  std::vector<double> values; ///< [height][width]
};

/// Draws `numbers`: reduces or enlarges them by a whole factor, then colors them. A single row
/// becomes a strip.
/// @throws usage_error  the range does not ascend, or a size is below 1
/// Local.
picture draw(shown_numbers const& numbers, picture_options const& options);

/// Writes a PNG file of 8-bit RGB.
/// @throws usage_error  the file cannot be written
/// Local.
void write_png(picture const& drawn, std::string const& path);

namespace detail {

/// Writes a PNG file to `place`; errors call it `name`.
/// @throws usage_error  the file cannot be written
void write_png(picture const& drawn, std::string const& place, std::string const& name);

/// A field without its type of values.
template <int D>
struct painted_field {
  Grid<D> grid;
  std::byte const* data; ///< owned values and ghosts of a component, as stored
  box<D> stored;         ///< owned values and ghosts, in indices relative to the block
  std::int64_t element_bytes;
  double (*number_at)(std::byte const*);
};

template <int D>
void write_picture(painted_field<D> const& field, std::string const& path,
                   picture_options const& options);

template <int D>
shown_numbers gather_numbers(painted_field<D> const& field, picture_options const& options);

template <class T, int D>
painted_field<D> painted(Field<T, D> const& field) {
  static_assert(
      requires(T const& value) { static_cast<double>(value); }, "pictures show fields of numbers");
  auto const number_at = [](std::byte const* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return static_cast<double>(value);
  };
  return {field.grid(), field.shared()->buffers.front().get(), unpadded<D>(field.shared()->local()),
          sizeof(T), number_at};
}

} // namespace detail

/// Gathers the numbers that a picture of `field` shows on rank 0; other ranks get none.
///
/// @throws usage_error  there is no such slice (on all ranks)
/// Collective: over the field's grid.
/// Cost: all ranks send the cells shown to rank 0.
template <class T, int D>
shown_numbers gather_numbers(Field<T, D> const& field, picture_options const& options = {}) {
  return detail::gather_numbers<D>(detail::painted(field), options);
}

/// Writes a picture of `field` (of its first component), or of a slice of a 3D field, which
/// replaces an older file.
///
/// @throws usage_error  the file cannot be written, there is no such slice, or as draw() (on all
///         ranks)
/// Collective: over the field's grid.
/// Cost: all ranks send the cells shown to rank 0.
template <class T, int D>
void write_png(Field<T, D> const& field, std::string const& path,
               picture_options const& options = {}) {
  detail::write_picture<D>(detail::painted(field), path, options);
}

} // namespace seam
