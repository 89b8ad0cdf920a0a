/// Numbers in binary files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace seam::detail {

/// The T at position `from` of `bytes`.
template <class T>
T number_in(std::string_view bytes, std::int64_t from) {
  T value;
  std::memcpy(&value, bytes.data() + from, sizeof(T));
  return value;
}

} // namespace seam::detail
