#include <seam/framework/files/picture.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture_scale.hpp>
#include <seam/stencil/space/layout.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace seam {
using namespace detail;

namespace {

std::int64_t quotient_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

void check_options(picture_options const& options) {
  if (options.range && !(options.range->first < options.range->second))
    refuse(fmt::format("picture: a range from {} to {} (expected ascending)", options.range->first,
                       options.range->second));
  if (options.wanted_width < 1 || options.largest_side < 1)
    refuse(fmt::format("picture: wanted width {}, largest side {} (expected at least 1)",
                       options.wanted_width, options.largest_side));
}

/// The mean of the square of `side` by `side` numbers at column `x` of row `y` of squares.
double mean_of_square(shown_numbers const& numbers, std::int64_t side, std::int64_t x,
                      std::int64_t y) {
  std::int64_t const right = std::min(numbers.width, (x + 1) * side);
  std::int64_t const below = std::min(numbers.height, (y + 1) * side);
  double sum = 0;
  for (std::int64_t row = y * side; row < below; ++row)
    for (std::int64_t column = x * side; column < right; ++column)
      sum += numbers.values[row * numbers.width + column];
  return sum / static_cast<double>((right - x * side) * (below - y * side));
}

/// Replaces each square of `side` by `side` numbers by its mean.
shown_numbers reduce(shown_numbers const& numbers, std::int64_t side) {
  shown_numbers fewer{quotient_up(numbers.width, side), quotient_up(numbers.height, side), {}};
  fewer.values.reserve(fewer.width * fewer.height);
  for (std::int64_t y = 0; y < fewer.height; ++y)
    for (std::int64_t x = 0; x < fewer.width; ++x)
      fewer.values.push_back(mean_of_square(numbers, side, x, y));
  return fewer;
}

/// The least and largest finite number.
std::pair<double, double> range_of(shown_numbers const& numbers) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (double value : numbers.values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  return {least, largest};
}

/// Pixels for each number to the right and down.
std::pair<std::int64_t, std::int64_t> enlargement(shown_numbers const& numbers,
                                                  picture_options const& options) {
  constexpr std::int64_t strip = 32;
  std::int64_t const largest = options.largest_side / std::max(numbers.width, numbers.height);
  std::int64_t const wanted = quotient_up(options.wanted_width, numbers.width);
  std::int64_t const factor = std::max<std::int64_t>(1, std::min(largest, wanted));
  bool const is_strip = numbers.height == 1;
  return {factor, is_strip ? std::max(factor, std::min(strip, options.largest_side)) : factor};
}

/// Draws every number as a rectangle of pixels of its color.
picture color_in(shown_numbers const& numbers, std::pair<double, double> range,
                 picture_options const& options) {
  auto const [right, down] = enlargement(numbers, options);
  picture drawn{numbers.width * right, numbers.height * down, {}};
  drawn.pixels.reserve(drawn.width * drawn.height);
  auto const [low, high] = range;
  for (std::int64_t y = 0; y < drawn.height; ++y)
    for (std::int64_t x = 0; x < numbers.width; ++x) {
      double const value = numbers.values[y / down * numbers.width + x];
      double const share = high > low ? (value - low) / (high - low) : value - low;
      drawn.pixels.insert(drawn.pixels.end(), right, options.colors(share));
    }
  return drawn;
}

/// The scale of a picture of `numbers`, which counts cells.
picture_scale scale_of(shown_numbers const& numbers, std::pair<double, double> range,
                       picture_options const& options) {
  picture_scale scale{options.colors, range, {{0, double(numbers.width)}}, {}};
  if (numbers.height > 1 && options.upward)
    scale.upright = {0, double(numbers.height)};
  else if (numbers.height > 1)
    scale.upright = {double(numbers.height), 0};
  return scale;
}

} // namespace

picture draw(shown_numbers const& numbers, picture_options const& options) {
  check_options(options);
  auto const range = options.range.value_or(range_of(numbers));
  std::int64_t const side =
      quotient_up(std::max(numbers.width, numbers.height), options.largest_side);
  auto const drawn = color_in(side > 1 ? reduce(numbers, side) : numbers, range, options);
  return options.with_scale ? with_scale(drawn, scale_of(numbers, range, options)) : drawn;
}

void write_png(picture const& drawn, std::string const& path) {
  detail::write_png(drawn, path, path);
}

void detail::write_png(picture const& drawn, std::string const& place, std::string const& name) {
  static_assert(sizeof(color) == 3);
  png_image file{};
  file.version = PNG_IMAGE_VERSION;
  file.width = static_cast<png_uint_32>(drawn.width);
  file.height = static_cast<png_uint_32>(drawn.height);
  file.format = PNG_FORMAT_RGB;
  constexpr int keep_depth = 0, packed_rows = 0;
  if (png_image_write_to_file(&file, place.c_str(), keep_depth, drawn.pixels.data(), packed_rows,
                              nullptr) == 0)
    refuse(fmt::format("picture: cannot write '{}': {}", name, file.message));
}

namespace detail {
namespace {

/// The cells to be drawn: all, or in three dimensions one layer of them.
template <int D>
box<D> shown_cells(Grid<D> const& grid, picture_options const& options) {
  box<D> shown = grid.domain();
  if constexpr (D == 3) {
    if (options.slice_axis < 0 || options.slice_axis >= D)
      refuse(fmt::format("picture: a slice across axis {} (expected 0 to {})", options.slice_axis,
                         D - 1));
    int const axis = options.slice_axis;
    std::int64_t const cells = shown.hi[axis];
    std::int64_t const layer = options.slice.value_or(cells / 2);
    if (layer < 0 || layer >= cells)
      refuse(fmt::format("picture: slice {} across axis {} (expected 0 to {})", layer, axis,
                         cells - 1));
    shown.lo[axis] = layer;
    shown.hi[axis] = layer + 1;
  }
  return shown;
}

/// The wire form of this rank's cells of `shown`.
template <int D>
std::vector<std::byte> packed_cells(painted_field<D> const& field, box<D> const& shown) {
  box<D> const stored = shift(field.stored, field.grid.owned().lo);
  box<D> const own = intersection(field.grid.owned(), shown);
  std::vector<std::byte> wire(own.num_cells() * field.element_bytes);
  if (!own.is_empty())
    pack(make_block(const_cast<std::byte*>(field.data), field.element_bytes,
                    region_of(padded(own), padded(stored))),
         wire.data());
  return wire;
}

/// Gathers the cells of `shown`, row-major, on rank 0; returns an empty array elsewhere.
/// Collective: over the grid.
template <int D>
std::vector<std::byte> gather_cells(painted_field<D> const& field, box<D> const& shown) {
  constexpr int tag = 0, root = 0;
  Grid<D> const& grid = field.grid;
  mpi::comm_view const over = grid.base().context();
  auto wire = packed_cells(field, shown);
  if (grid.rank() != root) {
    if (!wire.empty())
      mpi::send(over, std::span<std::byte const>(wire), root, tag);
    return {};
  }
  std::vector<std::byte> whole(shown.num_cells() * field.element_bytes);
  for (int rank = 0; rank < grid.size(); ++rank) {
    box<D> const part = intersection(grid.owned_by(rank), shown);
    if (part.is_empty())
      continue;
    if (rank != root) {
      wire.resize(part.num_cells() * field.element_bytes);
      mpi::receive(over, std::span(wire), rank, tag);
    }
    unpack(wire.data(),
           make_block(whole.data(), field.element_bytes, region_of(padded(part), padded(shown))));
  }
  return whole;
}

/// Converts the gathered cells to numbers, the top row of the picture first.
template <int D>
shown_numbers numbers_of(painted_field<D> const& field, std::vector<std::byte> const& cells,
                         box<D> const& shown, picture_options const& options) {
  std::vector<std::int64_t> sides;
  for (int axis = 0; axis < D; ++axis)
    if (D < 3 || axis != options.slice_axis)
      sides.push_back(shown.extent(axis));
  std::int64_t const num_rows = D == 1 ? 1 : sides.front(), row_length = sides.back();
  bool const is_transposed = options.transposed && D > 1;
  shown_numbers all{
      is_transposed ? num_rows : row_length, is_transposed ? row_length : num_rows, {}};
  all.values.reserve(shown.num_cells());
  for (std::int64_t y = 0; y < all.height; ++y) {
    std::int64_t const up = options.upward ? all.height - 1 - y : y;
    for (std::int64_t x = 0; x < all.width; ++x) {
      std::int64_t const cell = is_transposed ? x * row_length + up : up * row_length + x;
      all.values.push_back(field.number_at(cells.data() + cell * field.element_bytes));
    }
  }
  return all;
}

/// The cells to be drawn, the same on all ranks.
/// Collective: over the grid.
template <int D>
box<D> agreed_cells(Grid<D> const& grid, picture_options const& options) {
  mpi::comm_view const over = grid.base().context();
  auto const shown = collectively(over, [&] {
    check_options(options);
    return shown_cells(grid, options);
  });
  require_same(over, "picture: shown cells", fmt::format("{} to {}", shown.lo, shown.hi));
  return shown;
}

} // namespace

template <int D>
shown_numbers gather_numbers(painted_field<D> const& field, picture_options const& options) {
  detail::call_scope const here("gather_numbers");
  auto const shown = agreed_cells(field.grid, options);
  auto const cells = gather_cells(field, shown);
  return cells.empty() ? shown_numbers{} : numbers_of(field, cells, shown, options);
}

template <int D>
void write_picture(painted_field<D> const& field, std::string const& path,
                   picture_options const& options) {
  detail::call_scope const here("write_png");
  mpi::comm_view const over = field.grid.base().context();
  auto const shown = agreed_cells(field.grid, options);
  output_file file(over, path);
  auto const cells = gather_cells(field, shown);
  file.write_on_rank_0([&](std::string const& temporary) {
    write_png(draw(numbers_of(field, cells, shown, options), options), temporary, path);
  });
}

template shown_numbers gather_numbers(painted_field<1> const&, picture_options const&);
template shown_numbers gather_numbers(painted_field<2> const&, picture_options const&);
template shown_numbers gather_numbers(painted_field<3> const&, picture_options const&);

template void write_picture(painted_field<1> const&, std::string const&, picture_options const&);
template void write_picture(painted_field<2> const&, std::string const&, picture_options const&);
template void write_picture(painted_field<3> const&, std::string const&, picture_options const&);

} // namespace detail
} // namespace seam
