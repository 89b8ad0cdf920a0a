#include <seam/framework/files/picture_scale.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace seam::detail {
namespace {

constexpr color white{255, 255, 255}, ink{48, 48, 48};

/// The characters of numbers: for each of them seven rows of five pixels, the left one the highest bit.
constexpr std::string_view characters = "0123456789-+.e";
constexpr int glyph_width = 5, glyph_height = 7;
constexpr std::array<std::array<std::uint8_t, glyph_height>, 14> glyphs{{
    {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111},
    {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
    {0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000},
    {0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000},
    {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100},
    {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110},
}};

// Sizes [pixels].
constexpr std::int64_t dot = 2; ///< the side of a pixel of a glyph
constexpr std::int64_t advance = (glyph_width + 1) * dot, text_height = glyph_height * dot;
constexpr std::int64_t gap = 8, tick = 5, bar_width = 20;

std::int64_t text_width(std::string_view text) { return std::ssize(text) * advance; }

/// A white picture that is drawn on.
class paper {
public:
  paper(std::int64_t width, std::int64_t height)
      : drawn_{width, height, std::vector<color>(width * height, white)} {}

  void fill(std::int64_t left, std::int64_t top, std::int64_t width, std::int64_t height,
            color with) {
    for (std::int64_t y = top; y < top + height; ++y)
      std::fill_n(drawn_.pixels.begin() + y * drawn_.width + left, width, with);
  }

  void paste(std::int64_t left, std::int64_t top, picture const& what) {
    for (std::int64_t y = 0; y < what.height; ++y)
      std::copy_n(what.pixels.begin() + y * what.width, what.width,
                  drawn_.pixels.begin() + (top + y) * drawn_.width + left);
  }

  void write(std::int64_t left, std::int64_t top, std::string_view number) {
    for (char const character : number) {
      draw(left, top, glyphs[characters.find(character)]);
      left += advance;
    }
  }

  picture take() { return std::move(drawn_); }

private:
  void draw(std::int64_t left, std::int64_t top,
            std::array<std::uint8_t, glyph_height> const& glyph) {
    for (int row = 0; row < glyph_height; ++row)
      for (int column = 0; column < glyph_width; ++column)
        if ((glyph[row] >> (glyph_width - 1 - column) & 1) != 0)
          fill(left + column * dot, top + row * dot, dot, dot, ink);
  }

  picture drawn_;
};

/// A number beside a side of the picture.
struct label {
  double share; ///< of the side, from its first end
  std::string text;
};

/// Numbers at `count` places that divide a side evenly.
std::vector<label> labels_of(std::optional<std::pair<double, double>> const& ends, int count) {
  std::vector<label> labels;
  for (int i = 0; ends && i < count; ++i) {
    double const share = static_cast<double>(i) / (count - 1);
    double const value = ends->first + share * (ends->second - ends->first);
    auto text = fmt::format("{:.4g}", value);
    if (text.find_first_not_of(characters) == text.npos) // neither inf nor nan
      labels.push_back({share, std::move(text)});
  }
  return labels;
}

std::int64_t widest(std::vector<label> const& labels) {
  std::int64_t most = 0;
  for (label const& each : labels)
    most = std::max(most, text_width(each.text));
  return most;
}

/// The pixel that is `share` of the way from the first to the last of `length` pixels.
std::int64_t pixel_at(double share, std::int64_t length) {
  return static_cast<std::int64_t>(share * static_cast<double>(length - 1));
}

/// The bar, its last color at the top.
picture bar_of(color_map const& colors, std::int64_t height) {
  picture bar{bar_width, height, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    double const share = static_cast<double>(height - 1 - y) /
                         static_cast<double>(std::max<std::int64_t>(1, height - 1));
    bar.pixels.insert(bar.pixels.end(), bar_width, colors(share));
  }
  return bar;
}

} // namespace

picture with_scale(picture const& drawn, picture_scale const& scale) {
  constexpr int along_a_side = 3;
  int const along_the_bar = drawn.height < 8 * text_height ? 2 : 5;
  auto const across = labels_of(scale.across, along_a_side);
  auto const upright = labels_of(scale.upright, along_a_side);
  auto const values = labels_of(scale.values, along_the_bar);

  std::int64_t const left = gap + (upright.empty() ? 0 : widest(upright) + gap + tick);
  std::int64_t const top = gap + text_height / 2;
  std::int64_t const bottom = across.empty() ? top : tick + gap / 2 + text_height + gap;
  std::int64_t const bar = left + drawn.width + 2 * gap + widest(across) / 2;
  std::int64_t const height = std::max(drawn.height, 2 * text_height + gap);
  auto const row_of = [&](double share) {
    return top + drawn.height - 1 - pixel_at(share, drawn.height);
  };

  paper on(bar + bar_width + tick + gap / 2 + widest(values) + gap, top + height + bottom);
  on.paste(left, top, drawn);
  for (label const& each : upright) {
    std::int64_t const row = row_of(each.share);
    on.fill(left - tick, row, tick, 1, ink);
    on.write(left - tick - gap / 2 - text_width(each.text), row - text_height / 2, each.text);
  }
  for (label const& each : across) {
    std::int64_t const column = left + pixel_at(each.share, drawn.width);
    on.fill(column, top + drawn.height, 1, tick, ink);
    on.write(std::max<std::int64_t>(0, column - text_width(each.text) / 2),
             top + drawn.height + tick + gap / 2, each.text);
  }
  on.paste(bar, top, bar_of(scale.colors, drawn.height));
  for (label const& each : values) {
    std::int64_t const row = row_of(each.share);
    on.fill(bar + bar_width, row, tick, 1, ink);
    on.write(bar + bar_width + tick + gap / 2, row - text_height / 2, each.text);
  }
  return on.take();
}

} // namespace seam::detail
