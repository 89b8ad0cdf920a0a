/// Cache lines: memory that processes or threads write is divided by them, so that none waits for
/// another's.
#pragma once

#include <cstdint>

namespace seam::detail {

/// Bytes of a line, on the processors that MPI runs on today.
inline constexpr std::int64_t cache_line = 64;

/// `bytes` rounded up to whole lines. [bytes]
constexpr std::int64_t in_whole_lines(std::int64_t bytes) noexcept {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

} // namespace seam::detail
