// Plain loops over words of 64 cells, by sums of three rows, for two rules.
#include "torus_by_hand.hpp"

namespace life_bench {
namespace {

using word = std::uint64_t;
using row_function = void (*)(word const* above, word const* here, word const* below, word* to,
                              std::int64_t num_words);

/// The three lower digits of the numbers of neighbors; eight neighbors count as none.
struct digits {
  word n0, n1, n2;
};

/// Sums three rows, in binary.
[[gnu::always_inline]] inline digits sum(word const* above, word const* here, word const* below) {
  word ones[3], twos[3];
  word const* const rows[] = {above, here, below};
  for (int r = 0; r < 3; ++r) {
    word const left = rows[r][0] << 1 | rows[r][-1] >> 63;
    word const right = rows[r][0] >> 1 | rows[r][1] << 63;
    word const middle = r == 1 ? 0 : rows[r][0];
    ones[r] = left ^ right ^ middle;
    twos[r] = (left & right) | ((left ^ right) & middle);
  }
  word const carry = (ones[0] & ones[1]) | ((ones[0] ^ ones[1]) & ones[2]);
  word const half = twos[0] ^ twos[1] ^ twos[2];
  word const four = (twos[0] & twos[1]) | ((twos[0] ^ twos[1]) & twos[2]);
  return {ones[0] ^ ones[1] ^ ones[2], half ^ carry, four ^ (half & carry)};
}

/// Three neighbors, or two and the cell itself.
LIFE_BENCH_CLONES void conway(word const* above, word const* here, word const* below, word* to,
                              std::int64_t num_words) {
#pragma GCC ivdep
  for (std::int64_t w = 0; w < num_words; ++w) {
    digits const number = sum(above + w, here + w, below + w);
    to[w] = (number.n0 | here[w]) & number.n1 & ~number.n2;
  }
}

/// As these, or six neighbors of a dead cell.
LIFE_BENCH_CLONES void highlife(word const* above, word const* here, word const* below, word* to,
                                std::int64_t num_words) {
#pragma GCC ivdep
  for (std::int64_t w = 0; w < num_words; ++w) {
    digits const number = sum(above + w, here + w, below + w);
    word const some = number.n0 | here[w];
    to[w] = (some ^ number.n2) & number.n1;
  }
}

row_function function_of(std::string const& rule) {
  return rule == "B3/S23" ? conway : rule == "B36/S23" ? highlife : nullptr;
}

} // namespace

std::unique_ptr<contender> words_by_hand(game const& played) {
  row_function const compute_row = function_of(to_string(played.rule));
  if (compute_row == nullptr)
    return nullptr;
  return std::make_unique<torus_by_hand<word, row_function>>(played, compute_row);
}

} // namespace life_bench
