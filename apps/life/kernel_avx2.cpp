// The kernels for AVX2, by vectors of four words.
#include "columns.hpp"

namespace life::avx2 {
namespace {

struct vector : portable_vector<32> {};

} // namespace

void advance(word_rows const& rows, rule_forms const& of) { advance_rows<vector>(rows, of); }

} // namespace life::avx2
