#include <seam/framework/files/color_map.hpp>

#include <seam/exchange/ground/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seam {
using namespace detail;

namespace {

std::uint8_t between(std::uint8_t low, std::uint8_t high, double share) {
  double const mixed = low + share * (static_cast<double>(high) - low);
  return static_cast<std::uint8_t>(std::lround(mixed));
}

constexpr color from_hex(std::uint32_t rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16 & 0xFF), static_cast<std::uint8_t>(rgb >> 8 & 0xFF),
          static_cast<std::uint8_t>(rgb & 0xFF)};
}

} // namespace

color_map::color_map(std::vector<color> stops, color not_a_number)
    : stops_(std::move(stops)), not_a_number_(not_a_number) {
  if (stops_.empty())
    refuse("color map: no colors (expected at least 1)");
}

color color_map::operator()(double value) const {
  if (std::isnan(value))
    return not_a_number_;
  double const at = std::clamp(value, 0.0, 1.0) * static_cast<double>(stops_.size() - 1);
  int const below = static_cast<int>(at);
  auto const above = std::min(below + 1, static_cast<int>(stops_.size()) - 1);
  double const share = at - static_cast<double>(below);
  auto const &low = stops_[below], &high = stops_[above];
  return {between(low.red, high.red, share), between(low.green, high.green, share),
          between(low.blue, high.blue, share)};
}

color_map viridis() {
  return color_map({from_hex(0x440154), from_hex(0x482878), from_hex(0x3E4A89), from_hex(0x31688E),
                    from_hex(0x26828E), from_hex(0x1F9E89), from_hex(0x35B779), from_hex(0x6DCD59),
                    from_hex(0xB4DE2C), from_hex(0xFDE725)});
}

color_map distinct_colors() {
  return color_map({from_hex(0x008DF9), from_hex(0xFFC33B), from_hex(0x9F0162), from_hex(0x00FCCF),
                    from_hex(0xE20134), from_hex(0x009F81), from_hex(0xFFB2FD), from_hex(0x8400CD),
                    from_hex(0xFF6E3A), from_hex(0x00C2F9), from_hex(0xA40122),
                    from_hex(0xFF5AAF)});
}

color_map ink_on_paper() { return color_map({from_hex(0xF7F4EC), from_hex(0x16213A)}); }

} // namespace seam
