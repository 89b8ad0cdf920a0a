#include "scratch_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace life {
namespace {

/// Words from row to row of `num_words`: vectors in an odd number, so that the rows of a column do
/// not compete for few places in a cache.
std::int64_t stride_of(std::int64_t num_words) {
  return (((num_words - 1) / words_of_vector + 1) | 1) * words_of_vector;
}

/// Memory of the calling thread, on the line of a vector; what it held is lost.
word* scratch(std::int64_t num_words) {
  static thread_local std::vector<word> memory;
  if (std::ssize(memory) < num_words + words_of_vector)
    memory.resize(num_words + words_of_vector);
  auto const beyond = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(word);
  return memory.data() + (-beyond & (words_of_vector - 1));
}

} // namespace

scratch_rows::scratch_rows(std::int64_t num_rows, std::int64_t num_words)
    : num_rows_(num_rows),
      num_words_(std::max(num_words, words_of_vector)),
      stride_(stride_of(num_words_)) {
  std::int64_t const rows = words_of_vector + num_rows_ * stride_;
  from_ = scratch(2 * rows) + words_of_vector;
  to_ = from_ + rows;
}

void scratch_rows::advance(kernel const& game, int generations, std::int64_t begin,
                           std::int64_t end, borders const& ends) {
  for (std::int64_t const beyond : {begin - 1, end})
    if (beyond >= 0 && beyond < num_rows_)
      std::fill_n(to_ + beyond * stride_, num_words_, word{0});
  for (std::int64_t g = 1; g <= generations; ++g) {
    std::int64_t const first = std::max(g, begin);
    game({.from = from_ + first * stride_,
          .to = to_ + first * stride_,
          .num_rows = std::min(num_rows_ - g, end) - first,
          .num_words = num_words_,
          .stride = stride_,
          .ends = ends});
    std::swap(from_, to_);
  }
}

} // namespace life
