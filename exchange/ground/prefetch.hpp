/// Prefetching for memory that is about to be written or read.
#pragma once

namespace seam::detail {

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
