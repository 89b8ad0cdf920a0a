/// Work: a loop that takes as much of the processor's time as it is told, and touches no memory.
#pragma once

#include <cstdint>

namespace guidelines {

/// Counts down to 0, a step at a time, by instructions that the compiler cannot change.
/// Local.
/// Source: [Luebbe2017] sec. 3.1.
inline void count_down(std::uint64_t steps) {
  if (steps == 0)
    return;
#if defined(__x86_64__)
  asm volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(steps) : : "cc");
#elif defined(__aarch64__)
  asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(steps) : : "cc");
#else
  for (std::uint64_t volatile left = steps; left > 0; left = left - 1) {
  }
#endif
}

} // namespace guidelines
