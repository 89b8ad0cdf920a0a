// The numbers of version.hpp are those of the project in CMakeLists.txt.
#include <seam/exchange/ground/version.hpp>

#include <array>
#include <string_view>

namespace seam {
namespace {

/// The numbers of "0.1.0".
constexpr version_number parse(std::string_view text) {
  std::array<int, 3> numbers{};
  int at = 0;
  for (char const letter : text)
    if (letter == '.')
      ++at;
    else
      numbers[at] = 10 * numbers[at] + (letter - '0');
  return {numbers[0], numbers[1], numbers[2]};
}

static_assert(parse(SEAM_VERSION) == version,
              "version.hpp has another version than the project in CMakeLists.txt");

} // namespace

std::string to_string(version_number const& number) {
  return std::to_string(number.major) + "." + std::to_string(number.minor) + "." +
         std::to_string(number.patch);
}

} // namespace seam
