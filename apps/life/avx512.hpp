/// Vectors of eight words by AVX-512, which has any function of three bits in one instruction.
#pragma once

#include "vectors.hpp"

#include <immintrin.h>

namespace life {

struct avx512_vector : portable_vector<64> {
  LIFE_INLINE static value parity(value a, value b, value c) { return lookup<0x96>(a, b, c); }
  LIFE_INLINE static value majority(value a, value b, value c) { return lookup<0xe8>(a, b, c); }
  LIFE_INLINE static value add_product(value sum, value a, value b) {
    return lookup<0x78>(sum, a, b);
  }

  /// Bit 4 a + 2 b + c of the table.
  template <int Table>
  LIFE_INLINE static value lookup(value a, value b, value c) {
    return value(_mm512_ternarylogic_epi64(__m512i(a), __m512i(b), __m512i(c), Table));
  }
};

} // namespace life
