// The kernels for all processors, by vectors of two words.
#include "columns.hpp"

namespace life::baseline {

void advance(word_rows const& rows, rule_forms const& of) {
  advance_rows<portable_vector<16>>(rows, of);
}

} // namespace life::baseline
