#include <seam/framework/files/terminal_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace seam::detail {
namespace {

std::int64_t quotient_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

void append_color(std::string& to, int layer, color const& of) {
  fmt::format_to(std::back_inserter(to), "\033[{};2;{};{};{}m", layer, of.red, of.green, of.blue);
}

} // namespace

picture draw_for_terminal(shown_numbers const& numbers, picture_options options,
                          terminal_size const& size) {
  std::int64_t const width = std::max(1, size.columns), height = std::max(2, 2 * (size.rows - 1));
  std::int64_t const longest = std::max(numbers.width, numbers.height);
  std::int64_t const reduced =
      std::max(quotient_up(numbers.width, width), quotient_up(numbers.height, height));
  std::int64_t const enlarged =
      std::max<std::int64_t>(1, std::min(width / numbers.width, height / numbers.height));
  options.largest_side = reduced > 1 ? quotient_up(longest, reduced) : longest * enlarged;
  options.wanted_width = reduced > 1 ? 1 : numbers.width * enlarged;
  return draw(numbers, options);
}

std::string half_blocks(picture const& drawn) {
  constexpr int foreground = 38, background = 48;
  std::string lines;
  for (std::int64_t y = 0; y < drawn.height; y += 2) {
    color const* const upper = &drawn.pixels[y * drawn.width];
    bool const has_lower = y + 1 < drawn.height;
    for (std::int64_t x = 0; x < drawn.width; ++x) {
      if (x == 0 || !(upper[x] == upper[x - 1]))
        append_color(lines, foreground, upper[x]);
      if (has_lower && (x == 0 || !(upper[drawn.width + x] == upper[drawn.width + x - 1])))
        append_color(lines, background, upper[drawn.width + x]);
      lines += "\u2580";
    }
    lines += "\033[0m\033[K\n";
  }
  return lines;
}

} // namespace seam::detail
