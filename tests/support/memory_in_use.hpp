/// Measures the memory that a program has from operator new. It replaces the operators, and so one
/// source of a test includes it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace seam::testing {

inline std::atomic<std::int64_t> bytes_in_use = 0, most_in_use = 0;

inline void note(std::int64_t bytes) {
  std::int64_t const now = bytes_in_use += bytes;
  for (std::int64_t most = most_in_use;
       now > most && !most_in_use.compare_exchange_weak(most, now);)
    ;
}

/// The memory taken while it lives, over the memory in use when it was made. [bytes]
class memory_in_use {
public:
  memory_in_use() : before_(bytes_in_use) { most_in_use = before_; }
  std::int64_t peak() const { return most_in_use - before_; }

private:
  std::int64_t before_;
};

} // namespace seam::testing

// NOLINTBEGIN(misc-definitions-in-headers)
void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr)
    throw std::bad_alloc();
  seam::testing::note(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  void* const memory = std::malloc(bytes);
  if (memory != nullptr)
    seam::testing::note(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr)
    seam::testing::note(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
// NOLINTEND(misc-definitions-in-headers)
