// A plain loop, one byte for each cell, in rows with a ghost cell at both ends.
#include "contender.hpp"
#include "row_loops.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace life_bench {
namespace {

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

class byte_game : public contender {
public:
  explicit byte_game(game const& played)
      : rows_(played.rows),
        columns_(played.columns),
        now_((rows_ + 2) * stride()),
        next_(now_.size()) {
    for (int n = 0; n < 9; ++n) {
      states_[n] = static_cast<byte>(played.rule.birth >> n & 1);
      states_[9 + n] = static_cast<byte>(played.rule.survival >> n & 1);
    }
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j)
        row(now_, i)[j] = static_cast<byte>(played.soup(i, j / 64) >> (j % 64) & 1);
  }

  void run(std::int64_t generations) override {
    for (; generations > 0; --generations) {
      fill_ghosts();
      for (std::int64_t i = 0; i < rows_; ++i)
        compute(row(now_, i - 1), row(now_, i), row(now_, i + 1), row(next_, i), columns_, states_);
      now_.swap(next_);
    }
  }

  std::int64_t population() const override {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < rows_; ++i) {
      auto const* const first = now_.data() + (i + 1) * stride() + 1;
      sum += std::accumulate(first, first + columns_, std::int64_t{0});
    }
    return sum;
  }

private:
  std::int64_t stride() const { return columns_ + 2; }
  byte* row(std::vector<byte>& of, std::int64_t i) const {
    return of.data() + (i + 1) * stride() + 1;
  }

  void fill_ghosts() {
    std::copy_n(row(now_, rows_ - 1), columns_, row(now_, -1));
    std::copy_n(row(now_, 0), columns_, row(now_, rows_));
    for (std::int64_t i = -1; i <= rows_; ++i) {
      row(now_, i)[-1] = row(now_, i)[columns_ - 1];
      row(now_, i)[columns_] = row(now_, i)[0];
    }
  }

  std::int64_t rows_, columns_;
  std::vector<byte> now_, next_;
  states_of_cases states_;
};

} // namespace

std::unique_ptr<contender> bytes_by_hand(game const& played) {
  return std::make_unique<byte_game>(played);
}

} // namespace life_bench
