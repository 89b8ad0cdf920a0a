/// Decimal numbers in text, for options and files that a program reads itself.
///
///     if (auto const cells = seam::decimal<int>("0x5"))   // nothing: C would read 5
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace seam {

/// The number that the whole of `text` is in decimal notation; nothing if it is none, or one that T
/// cannot hold.
/// Local.
template <class T>
std::optional<T> decimal(std::string_view text) {
  T number{};
  char const* const end = text.data() + text.size();
  auto const [behind, trouble] = std::from_chars(text.data(), end, number);
  return trouble == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

} // namespace seam
