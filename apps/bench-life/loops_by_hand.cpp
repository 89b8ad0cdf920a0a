// Plain loops on one rank without messages: over bytes, one for each cell, and over words of 64 cells, by
// sums of three rows, for two rules.
#include "contender.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

// Loops over rows are compiled for several processors, as seam-life's kernels are.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LIFE_BENCH_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define LIFE_BENCH_CLONES
#endif

namespace life_bench {
namespace {

/// Rows of elements, with a ghost at both ends and a ghost row above and below, which hold those of
/// the opposite side.
/// @tparam Element       a byte for each cell, or a word of 64
/// @tparam ComputeRow    (above, here, below, to, number of elements): the row's next generation
template <class Element, class ComputeRow>
class torus_by_hand : public contender {
public:
  torus_by_hand(game const& played, ComputeRow compute_row)
      : compute_row_(std::move(compute_row)),
        rows_(played.rows),
        elements_(played.columns / cells),
        now_((rows_ + 2) * stride()),
        next_(now_.size()) {
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t k = 0; k < elements_; ++k)
        row(now_, i)[k] = static_cast<Element>(played.soup(i, k * cells / 64) >> k * cells % 64 &
                                               (cells == 1 ? 1 : ~std::uint64_t{0}));
  }

  void run(std::int64_t generations) override {
    for (; generations > 0; --generations) {
      fill_ghosts();
      for (std::int64_t i = 0; i < rows_; ++i)
        compute_row_(row(now_, i - 1), row(now_, i), row(now_, i + 1), row(next_, i), elements_);
      now_.swap(next_);
    }
  }

  std::int64_t population() const override {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t k = 0; k < elements_; ++k)
        sum += std::popcount(now_[(i + 1) * stride() + 1 + k]);
    return sum;
  }

private:
  static constexpr std::int64_t cells = sizeof(Element) == 1 ? 1 : 64; ///< of an element

  std::int64_t stride() const { return elements_ + 2; }
  Element* row(std::vector<Element>& of, std::int64_t i) const {
    return of.data() + (i + 1) * stride() + 1;
  }

  void fill_ghosts() {
    std::copy_n(row(now_, rows_ - 1), elements_, row(now_, -1));
    std::copy_n(row(now_, 0), elements_, row(now_, rows_));
    for (std::int64_t i = -1; i <= rows_; ++i) {
      row(now_, i)[-1] = row(now_, i)[elements_ - 1];
      row(now_, i)[elements_] = row(now_, i)[0];
    }
  }

  ComputeRow compute_row_;
  std::int64_t rows_, elements_;
  std::vector<Element> now_, next_;
};

using byte = std::uint8_t;
using states_of_cases =
    std::array<byte, 18>; ///< next states by neighbors, of dead cells and of live

/// Compares all 18 cases without branches, so that compilers vectorize it.
LIFE_BENCH_CLONES void compute(byte const* above, byte const* here, byte const* below, byte* to,
                               std::int64_t num_cells, states_of_cases const& of_cases) {
  states_of_cases const states = of_cases;
#pragma GCC ivdep
  for (std::int64_t j = 0; j < num_cells; ++j) {
    auto const found =
        static_cast<byte>(above[j - 1] + above[j] + above[j + 1] + here[j - 1] + here[j + 1] +
                          below[j - 1] + below[j] + below[j + 1] + 9 * here[j]);
    byte state = 0;
    for (byte c = 0; c < 18; ++c)
      state |= static_cast<byte>(found == c) & states[c];
    to[j] = state;
  }
}

states_of_cases states_by(life::rule const& rule) {
  states_of_cases states{};
  for (int n = 0; n < 9; ++n) {
    states[n] = static_cast<byte>(rule.birth >> n & 1);
    states[9 + n] = static_cast<byte>(rule.survival >> n & 1);
  }
  return states;
}

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

std::unique_ptr<contender> bytes_by_hand(game const& played) {
  auto compute_row = [states = states_by(played.rule)](auto... row) { compute(row..., states); };
  return std::make_unique<torus_by_hand<byte, decltype(compute_row)>>(played, compute_row);
}

std::unique_ptr<contender> words_by_hand(game const& played) {
  row_function const compute_row = function_of(to_string(played.rule));
  if (compute_row == nullptr)
    return nullptr;
  return std::make_unique<torus_by_hand<word, row_function>>(played, compute_row);
}

} // namespace life_bench
