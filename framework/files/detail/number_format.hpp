/// The format of numbers in memory, for functions that write them as bytes.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace seam::detail {

struct number_format {
  bool is_floating, is_signed;
  std::int64_t bytes;

  friend bool operator==(number_format const&, number_format const&) = default;
};

template <class T>
constexpr number_format format_of() {
  static_assert(std::integral<T> || std::same_as<T, float> || std::same_as<T, double>,
                "VTKHDF files hold integers, float and double");
  return {std::floating_point<T>, std::is_signed_v<T>, sizeof(T)};
}

} // namespace seam::detail
