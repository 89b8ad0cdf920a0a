#include <seam/mesh/input/id_set.hpp>

#include <algorithm>
#include <bit>

namespace seam::detail {
namespace {

constexpr int bits_of_word = 64;

std::uint64_t bit_of(std::int64_t number) { return std::uint64_t{1} << (number % bits_of_word); }

} // namespace

id_set::id_set(std::span<global_id const> ids) {
  if (ids.empty())
    return;
  auto const [least, most] = std::ranges::minmax(ids);
  std::int64_t const num_words = (most - least) / bits_of_word + 1;
  if (num_words <= std::ssize(ids)) {
    first_ = least;
    words_.resize(num_words);
    mark(ids);
    return;
  }
  sorted_.assign(ids.begin(), ids.end());
  std::ranges::sort(sorted_);
  if (auto const twice = std::ranges::adjacent_find(sorted_); twice != sorted_.end())
    least_duplicate_ = *twice;
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

void id_set::mark(std::span<global_id const> ids) {
  for (global_id const id : ids) {
    std::uint64_t& word = words_[(id - first_) / bits_of_word];
    if ((word & bit_of(id - first_)) != 0)
      least_duplicate_ = std::min(least_duplicate_, id);
    word |= bit_of(id - first_);
  }
}

bool id_set::contains(global_id id) const noexcept {
  if (words_.empty())
    return std::ranges::binary_search(sorted_, id);
  auto const number = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
  return number / bits_of_word < words_.size() &&
         (words_[number / bits_of_word] & bit_of(static_cast<std::int64_t>(number))) != 0;
}

std::vector<global_id> id_set::list() const {
  if (words_.empty())
    return sorted_;
  std::vector<global_id> ids;
  for (std::int64_t w = 0; w < std::ssize(words_); ++w)
    for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
      ids.push_back(first_ + w * bits_of_word + std::countr_zero(left));
  return ids;
}

} // namespace seam::detail
