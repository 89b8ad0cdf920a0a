// Plain loops over words of 64 cells, by sums of three rows, for rules that the compiler knows.
#include "contender.hpp"
#include "row_loops.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace life_bench {
namespace {

using word = std::uint64_t;
using row_function = void (*)(word const* above, word const* here, word const* below, word* to,
                              std::int64_t num_words);

constexpr unsigned counts(auto... numbers) { return ((1U << numbers) | ... | 0U); }

/// Digits of the numbers of neighbors.
struct digits {
  word n0, n1, n2, n3;

  /// Where the number is n.
  [[gnu::always_inline]] word are(int n) const {
    word const low = ((n & 1) != 0 ? n0 : ~n0) & ((n & 2) != 0 ? n1 : ~n1);
    return n == 8 ? n3 : low & ((n & 4) != 0 ? n2 : ~n2) & ~n3;
  }
};

/// Sums three rows, in binary.
[[gnu::always_inline]] inline digits sum(word const* above, word const* here, word const* below) {
  word left[3], right[3], ones[3], twos[3];
  word const* const rows[] = {above, here, below};
  for (int r = 0; r < 3; ++r) {
    left[r] = rows[r][0] << 1 | rows[r][-1] >> 63;
    right[r] = rows[r][0] >> 1 | rows[r][1] << 63;
    word const middle = r == 1 ? 0 : rows[r][0];
    ones[r] = left[r] ^ right[r] ^ middle;
    twos[r] = (left[r] & right[r]) | ((left[r] ^ right[r]) & middle);
  }
  word const carry = (ones[0] & ones[1]) | ((ones[0] ^ ones[1]) & ones[2]);
  word const half = twos[0] ^ twos[1] ^ twos[2];
  word const four = (twos[0] & twos[1]) | ((twos[0] ^ twos[1]) & twos[2]);
  return {ones[0] ^ ones[1] ^ ones[2], half ^ carry, four ^ (half & carry), four & half & carry};
}

template <unsigned Birth, unsigned Survival>
[[gnu::always_inline]] inline void compute(word const* above, word const* here, word const* below,
                                           word* to, std::int64_t num_words) {
#pragma GCC ivdep
  for (std::int64_t w = 0; w < num_words; ++w) {
    digits const number = sum(above + w, here + w, below + w);
    word next = 0;
    for (int n = 0; n <= 8; ++n) {
      bool const born = (Birth >> n & 1) != 0, survives = (Survival >> n & 1) != 0;
      if (born || survives)
        next |= number.are(n) & (born && survives ? ~word{0} : born ? ~here[w] : here[w]);
    }
    to[w] = next;
  }
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

LIFE_BENCH_CLONES void highlife(word const* above, word const* here, word const* below, word* to,
                                std::int64_t num_words) {
  compute<counts(3, 6), counts(2, 3)>(above, here, below, to, num_words);
}

LIFE_BENCH_CLONES void day_and_night(word const* above, word const* here, word const* below,
                                     word* to, std::int64_t num_words) {
  compute<counts(3, 6, 7, 8), counts(3, 4, 6, 7, 8)>(above, here, below, to, num_words);
}

struct known_rule {
  char const* name;
  row_function compute;
};
constexpr known_rule known_rules[] = {
    {"B3/S23", conway}, {"B36/S23", highlife}, {"B3678/S34678", day_and_night}};

class word_game : public contender {
public:
  word_game(game const& played, row_function compute)
      : compute_(compute),
        rows_(played.rows),
        words_(played.columns / 64),
        now_((rows_ + 2) * stride()),
        next_(now_.size()) {
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t w = 0; w < words_; ++w)
        row(now_, i)[w] = played.soup(i, w);
  }

  void run(std::int64_t generations) override {
    for (; generations > 0; --generations) {
      fill_ghosts();
      for (std::int64_t i = 0; i < rows_; ++i)
        compute_(row(now_, i - 1), row(now_, i), row(now_, i + 1), row(next_, i), words_);
      now_.swap(next_);
    }
  }

  std::int64_t population() const override {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t w = 0; w < words_; ++w)
        sum += std::popcount(now_[(i + 1) * stride() + 1 + w]);
    return sum;
  }

private:
  std::int64_t stride() const { return words_ + 2; }
  word* row(std::vector<word>& of, std::int64_t i) const {
    return of.data() + (i + 1) * stride() + 1;
  }

  void fill_ghosts() {
    std::copy_n(row(now_, rows_ - 1), words_, row(now_, -1));
    std::copy_n(row(now_, 0), words_, row(now_, rows_));
    for (std::int64_t i = -1; i <= rows_; ++i) {
      row(now_, i)[-1] = row(now_, i)[words_ - 1];
      row(now_, i)[words_] = row(now_, i)[0];
    }
  }

  row_function compute_;
  std::int64_t rows_, words_;
  std::vector<word> now_, next_;
};

} // namespace

std::unique_ptr<contender> words_by_hand(game const& played) {
  for (known_rule const& known : known_rules)
    if (played.rule == life::parse_rule(known.name))
      return std::make_unique<word_game>(played, known.compute);
  return nullptr;
}

} // namespace life_bench
