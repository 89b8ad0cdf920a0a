/// Memory: what this process has from operator new, and from the C library's allocator in all.
#pragma once

#include <cstdint>

namespace scale_bench {

struct memory {
  std::int64_t allocations = 0; ///< calls of operator new since the process began
  std::int64_t bytes = 0;       ///< in use from operator new [bytes]
  std::int64_t peak = 0;        ///< most in use since forget_peak() [bytes]
  std::int64_t process = 0;     ///< in use from malloc, by MPI and other libraries too [bytes]
};

/// The memory of this process now. Local, any thread.
memory memory_now() noexcept;

/// Makes the memory that is in use now the peak. Local, any thread.
void forget_peak() noexcept;

} // namespace scale_bench
