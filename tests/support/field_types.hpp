/// Types for fields in tests: numbers, and structures of odd sizes.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace seam::testing {

/// Three bytes, which can only be copied.
struct rgb {
  std::uint8_t red, green, blue;

  friend bool operator==(rgb const&, rgb const&) = default;
};
static_assert(sizeof(rgb) == 3);

/// Twelve bytes that can be added.
struct force {
  float x, y, z;

  friend bool operator==(force const&, force const&) = default;
  friend force operator+(force const& a, force const& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};
static_assert(sizeof(force) == 12);

/// Twenty-four bytes, some of them unused, whose initial values are not zeros.
struct particle {
  double mass = 1;
  std::int8_t charge = -1;
  std::int64_t id = 1'000'000;

  friend bool operator==(particle const&, particle const&) = default;
};
static_assert(sizeof(particle) == 24);

/// The T that stands for number 0, 1 and so on; in small types several numbers have the same.
template <class T>
T value_of_number(std::int64_t number) {
  auto const small = static_cast<std::uint8_t>(number * 7 + number / 37);
  if constexpr (std::is_same_v<T, bool>)
    return small % 3 == 0;
  else if constexpr (std::is_same_v<T, rgb>)
    return {small, static_cast<std::uint8_t>(small + 1), static_cast<std::uint8_t>(number)};
  else if constexpr (std::is_same_v<T, force>)
    return {static_cast<float>(number), static_cast<float>(-number), 0.5F};
  else if constexpr (std::is_same_v<T, particle>)
    return {static_cast<double>(number) + 0.5, static_cast<std::int8_t>(small), number};
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return {static_cast<double>(number), static_cast<double>(-number)};
  else
    return static_cast<T>(number);
}

} // namespace seam::testing
