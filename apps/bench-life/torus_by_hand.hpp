/// Plain loops on one rank without messages: rows of elements, with a ghost at both ends and a ghost
/// row above and below, which hold those of the opposite side.
#pragma once

#include "contender.hpp"

#include <algorithm>
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

} // namespace life_bench
