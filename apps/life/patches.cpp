#include "patches.hpp"

#include <algorithm>

namespace life {
namespace {

// Patches are at least so large, and so larger than generations between exchanges reach.
constexpr std::int64_t rows_of_patch = 128, words_of_patch = 4;

// Long enough that what is computed twice is little, and short enough for the second cache.
constexpr std::int64_t words_of_strip = 64;

/// Where patches begin on an axis: patch -1, the `count` patches, the ghosts behind them, their end.
std::vector<std::int64_t> beginnings(std::int64_t extent, std::int64_t count, std::int64_t ghosts) {
  std::vector<std::int64_t> begins{-ghosts};
  for (std::int64_t number = 0; number <= count; ++number)
    begins.push_back(extent * number / count);
  begins.push_back(extent + ghosts);
  return begins;
}

} // namespace

patches::patches(generation const& cells) {
  auto const extents = cells.grid().owned().extents();
  count_ = {std::max<std::int64_t>(1, extents[0] / rows_of_patch),
            std::max<std::int64_t>(1, extents[1] / words_of_patch)};
  begins_ = {beginnings(extents[0], count_[0], cells.layout().depth),
             beginnings(extents[1], count_[1], cells.layout().reach)};
  states_.assign((count_[0] + 2) * (count_[1] + 2), changed | alive);
  awake_.reserve(count_[0] * count_[1]);
}

seam::box<2> patches::words_of(seam::box<2> const& some) const {
  auto const begin = [&](int axis, std::int64_t number) { return begins_[axis][number + 1]; };
  return {{begin(0, some.lo[0]), begin(1, some.lo[1])},
          {begin(0, some.hi[0]), begin(1, some.hi[1])}};
}

void patches::compare(block const& of, seam::box<2> const& some) {
  seam::field_view<word const, 2> const before = of.next;
  seam::for_each_cell(some, [&](seam::cell_index<2> const& patch) {
    word different = 0, living = 0;
    seam::for_each_row(words_of({patch, {patch[0] + 1, patch[1] + 1}}),
                       [&](seam::cell_index<2> const& first, std::int64_t end) {
                         if (different != 0 && living != 0)
                           return; // all is known
                         std::int64_t const length = end - first[1];
                         word const* const now = of.now.row(first, length);
                         word const* const next = before.row(first, length);
                         for (std::int64_t w = 0; w < length; ++w) {
                           different |= now[w] ^ next[w];
                           living |= now[w] | next[w];
                         }
                       });
    state_of(patch[0], patch[1]) =
        static_cast<std::uint8_t>((different != 0 ? changed : 0) | (living != 0 ? alive : 0));
  });
}

void patches::compare_ghosts(block const& of) {
  seam::box<2> const own{{}, count_};
  for (auto const& part : seam::difference(seam::grow(own, {1, 1}, {1, 1}), own))
    compare(of, part);
}

bool patches::is_awake(std::int64_t row, std::int64_t column, bool comes_again,
                       bool life_from_nothing) {
  unsigned around = 0;
  for (std::int64_t r = row - 1; r <= row + 1; ++r)
    for (std::int64_t c = column - 1; c <= column + 1; ++c)
      around |= state_of(r, c);
  bool const blinks = comes_again && (around & changed) == 0;
  bool const is_empty = !life_from_nothing && around == 0;
  return !blinks && !is_empty;
}

std::vector<seam::box<2>> const& patches::wake(int generations, bool life_from_nothing) {
  bool const comes_again = last_generations_ > 0 && generations % last_generations_ == 0;
  awake_.clear();
  for (std::int64_t row = 0; row < count_[0]; ++row)
    for (std::int64_t column = 0; column < count_[1];) {
      std::int64_t end = column;
      while (end < count_[1] && is_awake(row, end, comes_again, life_from_nothing))
        ++end;
      add_strips(row, column, end);
      column = end + 1;
    }
  last_generations_ = generations;
  return awake_;
}

void patches::add_strips(std::int64_t row, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t most = words_of_strip / words_of_patch;
  for (; begin < end; begin += most)
    awake_.push_back({{row, begin}, {row + 1, std::min(end, begin + most)}});
}

} // namespace life
