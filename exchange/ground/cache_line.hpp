/// Cache lines: memory that several processes or threads write is divided into whole lines, so that
/// no writer waits for a line that another one writes.
#pragma once

#include <cstdint>

namespace seam::detail {

/// Bytes of a line, on the processors that MPI runs on today.
inline constexpr std::int64_t cache_line = 64;

/// Bytes that some processors fetch at a time: the line that is asked for and the one beside it.
inline constexpr std::int64_t line_pair = 2 * cache_line;

/// `bytes` rounded up to whole lines. [bytes]
constexpr std::int64_t in_whole_lines(std::int64_t bytes) noexcept {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

/// Begins to fetch the cache line of `at` for writing, which takes long where another core has read
/// it. Any address is allowed. Local.
inline void prefetch_to_write(void const* at) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<char const*>(at)));
#else
  __builtin_prefetch(at, 1);
#endif
}

/// Begins to fetch the cache line of `at` for reading. Any address is allowed. Local.
inline void prefetch_to_read(void const* at) noexcept { __builtin_prefetch(at); }

} // namespace seam::detail
