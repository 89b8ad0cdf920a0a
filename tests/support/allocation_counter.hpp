/// Counts the calls of operator new in a test program. To be included by one source of it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace seam::testing {

inline std::atomic<long> num_allocations = 0;

inline void* allocate_and_count(std::size_t bytes, std::size_t alignment) {
  ++num_allocations;
  if (void* const memory =
          std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment))
    return memory;
  throw std::bad_alloc();
}

} // namespace seam::testing

void* operator new(std::size_t bytes) { return seam::testing::allocate_and_count(bytes, 16); }
void* operator new[](std::size_t bytes) { return seam::testing::allocate_and_count(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return seam::testing::allocate_and_count(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  ++seam::testing::num_allocations;
  return std::malloc(bytes);
}
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
  ++seam::testing::num_allocations;
  return std::malloc(bytes);
}

// Not inlined: compilers warn where they see free() release memory of operator new.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
