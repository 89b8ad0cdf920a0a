// The kernels for AVX-512.
#include "avx512.hpp"
#include "columns.hpp"

namespace life::avx512 {
namespace {

struct vector : avx512_vector {};

} // namespace

void advance(word_rows const& rows, rule_forms const& of) { advance_rows<vector>(rows, of); }

} // namespace life::avx512
