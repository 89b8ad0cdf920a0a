#include <seam/exchange/partitioned/marks.hpp>

#include <algorithm>
#include <bit>

namespace seam::detail {
namespace {

constexpr int per_word = 64;

/// The bits of partitions [first, last) in the word that begins with partition `begin`.
std::uint64_t bits_of(int begin, int first, int last) {
  int const from = std::max(first - begin, 0), to = std::min(last - begin, per_word);
  std::uint64_t const below_to = to == per_word ? ~std::uint64_t{0} : (std::uint64_t{1} << to) - 1;
  return below_to & ~((std::uint64_t{1} << from) - 1);
}

int word_of(int partition) { return partition / per_word; }
int begin_of(int word) { return word * per_word; }

} // namespace

marks::marks(int size) : size_(size), words_((size + per_word - 1) / per_word) {}

int marks::set(int first, int last) noexcept {
  if (first >= last)
    return -1;
  if (last - first > 1)
    for (int p = first; p < last; ++p)
      if (is_set(p))
        return p;
  for (int w = word_of(first); w <= word_of(last - 1); ++w) {
    std::uint64_t const bits = bits_of(begin_of(w), first, last);
    std::uint64_t const repeated =
        (last - first > 1 ? words_[w].set_all_or_none(bits) : words_[w].bits.fetch_or(bits)) & bits;
    if (repeated != 0)
      return begin_of(w) + std::countr_zero(repeated);
  }
  return -1;
}

std::uint64_t marks::word::set_all_or_none(std::uint64_t mask) noexcept {
  std::uint64_t before = bits.load();
  while ((before & mask) == 0 && !bits.compare_exchange_weak(before, before | mask)) {
  }
  return before;
}

bool marks::is_set(int partition) const noexcept { return are_all_set(partition, partition + 1); }

bool marks::are_all_set(int first, int last) const noexcept {
  if (first >= last)
    return true;
  for (int w = word_of(first); w <= word_of(last - 1); ++w) {
    std::uint64_t const bits = bits_of(begin_of(w), first, last);
    if ((words_[w].bits.load() & bits) != bits)
      return false;
  }
  return true;
}

std::vector<int> marks::unset() const {
  std::vector<int> partitions;
  for (int p = 0; p < size_; ++p)
    if (!is_set(p))
      partitions.push_back(p);
  return partitions;
}

void marks::clear() noexcept {
  for (word& bits_of_64 : words_)
    bits_of_64.bits.store(0, std::memory_order_relaxed);
}

} // namespace seam::detail
