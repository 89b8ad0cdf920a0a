/// Decimal numbers in text, for options and files that a program reads itself.
///
///     if (auto const cells = seam::decimal<int>("0x5"))   // nothing: C would read 5
#pragma once

#include <optional>
#include <string_view>

namespace seam {

/// The number that the whole of `text` is in decimal notation; nothing if it is none, or one that T
/// cannot hold.
/// @tparam T  a signed or unsigned integer, float, double or long double
/// Local.
template <class T>
std::optional<T> decimal(std::string_view text);

} // namespace seam
