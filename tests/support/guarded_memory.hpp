/// Memory from operator new between guards, to see whether a program writes beside it. To be
/// included by one source of a test program.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace seam::testing {

/// Pieces of memory that were given back with a guard overwritten.
inline std::atomic<long> num_overruns = 0;

inline constexpr std::size_t guard_bytes = 64;
inline constexpr std::byte guard{0xa5};

/// Before the memory: its length, in the first bytes of the guard before it. Null if there is none.
inline void* try_to_allocate_guarded(std::size_t bytes) noexcept {
  auto* const all = static_cast<std::byte*>(std::malloc(bytes + 2 * guard_bytes));
  if (all == nullptr)
    return nullptr;
  std::fill_n(all, guard_bytes, guard);
  std::fill_n(all + guard_bytes + bytes, guard_bytes, guard);
  std::memcpy(all, &bytes, sizeof(bytes));
  return all + guard_bytes;
}

inline void* allocate_guarded(std::size_t bytes) {
  if (void* const memory = try_to_allocate_guarded(bytes))
    return memory;
  throw std::bad_alloc();
}

inline void free_guarded(void* memory) {
  if (memory == nullptr)
    return;
  std::byte* const all = static_cast<std::byte*>(memory) - guard_bytes;
  std::size_t bytes = 0;
  std::memcpy(&bytes, all, sizeof(bytes));
  auto const is_whole = [](std::byte byte) { return byte == guard; };
  if (!std::all_of(all + sizeof(bytes), all + guard_bytes, is_whole) ||
      !std::all_of(all + guard_bytes + bytes, all + 2 * guard_bytes + bytes, is_whole))
    ++num_overruns;
  std::free(all);
}

} // namespace seam::testing

void* operator new(std::size_t bytes) { return seam::testing::allocate_guarded(bytes); }
void* operator new[](std::size_t bytes) { return seam::testing::allocate_guarded(bytes); }
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  return seam::testing::try_to_allocate_guarded(bytes);
}
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
  return seam::testing::try_to_allocate_guarded(bytes);
}

// Not inlined: compilers warn where they see free() release memory of operator new.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  seam::testing::free_guarded(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  seam::testing::free_guarded(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  seam::testing::free_guarded(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  seam::testing::free_guarded(memory);
}
