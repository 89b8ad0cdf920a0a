// The kernels for AVX-512 with VBMI2, which shifts bits from one word into another.
#include "avx512.hpp"
#include "columns.hpp"

namespace life::avx512_vbmi2 {
namespace {

struct vector : avx512_vector {
  LIFE_INLINE static value left(value here, value beside) {
    return value(_mm512_shldi_epi64(__m512i(here), __m512i(beside), 1));
  }
  LIFE_INLINE static value right(value here, value beside) {
    return value(_mm512_shrdi_epi64(__m512i(here), __m512i(beside), 1));
  }
};

} // namespace

void advance(word_rows const& rows, rule_forms const& of) { advance_rows<vector>(rows, of); }

} // namespace life::avx512_vbmi2
