/// Vectors of words, in the types that GCC and Clang have for them on all processors.
///
/// Sources that are compiled for wide vectors derive a type of their own in an unnamed namespace, and
/// include nothing of the standard library with code in it: a linker keeps one copy of a function that
/// several sources share, which might be the one that not all processors can run.
#pragma once

#include "word_rows.hpp"

#define LIFE_INLINE [[gnu::always_inline]] inline

namespace life {

/// Words side by side, and what kernels compute with them bit by bit.
template <int Bytes>
struct portable_vector {
  typedef word value __attribute__((vector_size(Bytes)));
  static constexpr int num_words = Bytes / static_cast<int>(sizeof(word));

  LIFE_INLINE static value load(word const* from) {
    value loaded;
    __builtin_memcpy(&loaded, from, Bytes);
    return loaded;
  }
  LIFE_INLINE static void store(word* to, value of) { __builtin_memcpy(to, &of, Bytes); }
  LIFE_INLINE static value all(word of) { return value{} + of; }

  /// The two digits of the sum of three bits.
  LIFE_INLINE static value parity(value a, value b, value c) { return a ^ b ^ c; }
  LIFE_INLINE static value majority(value a, value b, value c) { return (a & b) | ((a ^ b) & c); }

  LIFE_INLINE static value add_product(value sum, value a, value b) { return sum ^ (a & b); }

  /// Each cell's neighbor to the left or to the right, the last of which lies in the words beside.
  LIFE_INLINE static value left(value here, value beside) { return here << 1 | beside >> 63; }
  LIFE_INLINE static value right(value here, value beside) { return here >> 1 | beside << 63; }
};

} // namespace life
