// Conway's Life on a torus, as in seam-life: 64 cells in a word. Loops by hand add rows in binary.
#include "../life/evolution.hpp"
#include "problem.hpp"

#include <seam/exchange/ground/digest.hpp>

#include <bit>

// Loops over rows are compiled for several processors, as seam-life's kernels are.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define STEPS_BENCH_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define STEPS_BENCH_CLONES
#endif

namespace steps_bench {
namespace {

constexpr std::int64_t cells_of_word = 64;
using word = std::uint64_t;

/// The first cells of a word, in rows of so many.
word soup(seam::cell_index<2> const& at, std::int64_t words) {
  return seam::detail::scrambled(static_cast<word>(at[0] * words + at[1]));
}

class by_steps final : public contender {
public:
  by_steps(seam::Communicator const& over, extents const& cells, int most_fused)
      : cells_(over, {::life::topology::torus, cells[1], cells[0]}, most_fused),
        loop_((fill(cells[1] / cells_of_word), cells_), ::life::rule{}) {}

  void run(std::int64_t steps) override { loop_.run(steps); }

  /// Live cells of each word.
  std::vector<double> values() const override {
    std::vector<double> all;
    seam::for_each_cell(cells_.now().owned(), [&, words = cells_.now().view()](auto const& at) {
      all.push_back(std::popcount(words[at]));
    });
    return all;
  }

private:
  void fill(std::int64_t words_of_row) {
    auto const first = cells_.grid().owned().lo;
    seam::for_each_cell(cells_.now().owned(), [&, words = cells_.now().view()](auto const& at) {
      words[at] = soup({first[0] + at[0], first[1] + at[1]}, words_of_row);
    });
  }

  ::life::generation cells_;
  ::life::evolution loop_;
};

/// The three lower digits of the numbers of neighbors; eight neighbors count as none.
struct digits {
  word n0, n1, n2;
};

/// Adds three rows, in binary.
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
STEPS_BENCH_CLONES void compute_row(word const* above, word const* here, word const* below,
                                    word* to, std::int64_t num_words) {
#pragma GCC ivdep
  for (std::int64_t w = 0; w < num_words; ++w) {
    digits const number = sum(above + w, here + w, below + w);
    to[w] = (number.n0 | here[w]) & number.n1 & ~number.n2;
  }
}

class by_loops final : public contender {
public:
  explicit by_loops(seam::cell_index<2> const& words) : n_(words), now_(n_, 1), next_(n_, 1) {
    now_.visit([&](seam::cell_index<2> const& at, word& cells) { cells = soup(at, n_[1]); });
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      wrap(now_, n_);
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        compute_row(now_.row(i - 1), now_.row(i), now_.row(i + 1), next_.row(i), n_[1]);
      now_.swap(next_);
    }
  }

  std::vector<double> values() const override {
    std::vector<double> all;
    now_.visit([&](auto const&, word cells) { all.push_back(std::popcount(cells)); });
    return all;
  }

private:
  seam::cell_index<2> n_;
  rows<2, word> now_, next_;
};

} // namespace

problem const life{.name = "life",
                   .num_axes = 2,
                   .num_values = 2.0 / cells_of_word,
                   .by_steps = [](seam::Communicator const& over, extents const& cells,
                                  int fused) -> std::unique_ptr<contender> {
                     constexpr int fastest = ::life::generation::most_depth;
                     return std::make_unique<by_steps>(
                         over, cells, fused == by_measurement ? fastest : std::min(fused, fastest));
                   },
                   .by_hand = [](seam::Communicator const& over,
                                 extents const& cells) -> std::unique_ptr<contender> {
                     return std::make_unique<by_loops>(
                         seam::cell_index<2>{cells[0] / over.size(), cells[1] / cells_of_word});
                   },
                   .is_grid = false,
                   .multiple = cells_of_word};

} // namespace steps_bench
