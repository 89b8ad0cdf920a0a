// Replaces operator new and operator delete in the whole program, to count.
#include "memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace scale_bench {
namespace {

std::atomic<std::int64_t> num_allocations = 0, bytes_in_use = 0, most_in_use = 0;

void note(std::int64_t bytes) noexcept {
  std::int64_t const now = bytes_in_use += bytes;
  for (std::int64_t most = most_in_use;
       now > most && !most_in_use.compare_exchange_weak(most, now);)
    ;
}

void* counted(void* fresh) noexcept {
  if (fresh != nullptr) {
    ++num_allocations;
    note(static_cast<std::int64_t>(malloc_usable_size(fresh)));
  }
  return fresh;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  std::size_t const whole = (bytes + alignment) / alignment * alignment;
  if (void* const fresh = counted(std::aligned_alloc(alignment, whole)))
    return fresh;
  throw std::bad_alloc();
}

void release(void* used) noexcept {
  if (used != nullptr)
    note(-static_cast<std::int64_t>(malloc_usable_size(used)));
  std::free(used);
}

/// The bytes that the C library's allocator has given out, where it tells.
std::int64_t bytes_of_process() noexcept {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  auto const told = mallinfo2();
  return static_cast<std::int64_t>(told.uordblks + told.hblkhd);
#else
  return 0;
#endif
}

} // namespace

memory memory_now() noexcept {
  return {num_allocations, bytes_in_use, most_in_use, bytes_of_process()};
}

void forget_peak() noexcept { most_in_use = bytes_in_use.load(); }

} // namespace scale_bench

/// The forms of new and delete of one object, or of an array. Those of delete are not inlined: compilers warn
/// where they see free() release memory of operator new.
#define SEAM_REPLACED(name_of_new, name_of_delete)                                                 \
  void* operator name_of_new(std::size_t bytes) {                                                  \
    return scale_bench::allocate(bytes, alignof(std::max_align_t));                                \
  }                                                                                                \
  void* operator name_of_new(std::size_t bytes, std::align_val_t alignment) {                      \
    return scale_bench::allocate(bytes, static_cast<std::size_t>(alignment));                      \
  }                                                                                                \
  void* operator name_of_new(std::size_t bytes, std::nothrow_t const&) noexcept {                  \
    return scale_bench::counted(std::malloc(bytes));                                               \
  }                                                                                                \
  SEAM_RELEASED(name_of_delete, (void* used))                                                      \
  SEAM_RELEASED(name_of_delete, (void* used, std::size_t))                                         \
  SEAM_RELEASED(name_of_delete, (void* used, std::align_val_t))                                    \
  SEAM_RELEASED(name_of_delete, (void* used, std::size_t, std::align_val_t))                       \
  SEAM_RELEASED(name_of_delete, (void* used, std::nothrow_t const&))
#define SEAM_RELEASED(name, parameters)                                                            \
  [[gnu::noinline]] void operator name parameters noexcept { scale_bench::release(used); }

SEAM_REPLACED(new, delete)
SEAM_REPLACED(new[], delete[])
