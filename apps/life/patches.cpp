#include "patches.hpp"

#include <seam/stencil/detail/parallel.hpp>

#include <algorithm>

namespace life {
namespace {

/// Bits of a patch's state: its cells are not as they were, or some are alive.
enum : std::uint8_t { changed = 1, alive = 2 };

// Patches are at least so large, and so larger than generations between exchanges reach.
constexpr std::int64_t rows_of_patch = 128, words_of_patch = 4;

// Long enough that what is computed twice is little, and short enough for the second cache.
constexpr std::int64_t words_of_strip = 64;
constexpr std::int64_t rows_of_strip = 4; // [patches]

// So many, or threads wait for those whose strips take longer.
constexpr std::int64_t strips_of_thread = 4;

/// Where patches begin on an axis: patch -1, the `count` patches, the ghosts behind them, their end.
std::vector<std::int64_t> beginnings(std::int64_t extent, std::int64_t count, std::int64_t ghosts) {
  std::vector<std::int64_t> begins{-ghosts};
  for (std::int64_t number = 0; number <= count; ++number)
    begins.push_back(extent * number / count);
  begins.push_back(extent + ghosts);
  return begins;
}

/// Compares what `now` and `next` hold of some words, as far as there is anything to learn.
std::uint8_t compare_words(block const& of, seam::box<2> const& words) {
  seam::field_view<word const, 2> const before = of.next;
  std::int64_t const length = words.extent(1);
  word different = 0, living = 0;
  for (std::int64_t row = words.lo[0]; row < words.hi[0] && (different == 0 || living == 0);
       ++row) {
    word const* const now = of.now.row({row, words.lo[1]}, length);
    word const* const next = before.row({row, words.lo[1]}, length);
    for (std::int64_t w = 0; w < length; ++w) {
      different |= now[w] ^ next[w];
      living |= now[w] | next[w];
    }
  }
  return static_cast<std::uint8_t>((different != 0 ? changed : 0) | (living != 0 ? alive : 0));
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
  strip_at_.resize(count_[1]);
  std::int64_t const num_strips = count_[0] * ((extents[1] - 1) / words_of_strip + 1);
  int const num_threads = seam::detail::num_loop_threads();
  most_rows_ = num_threads == 1
                   ? rows_of_strip
                   : std::clamp<std::int64_t>(num_strips / (strips_of_thread * num_threads), 1,
                                              rows_of_strip);
}

seam::box<2> patches::words_of(seam::box<2> const& some) const {
  auto const begin = [&](int axis, std::int64_t number) { return begins_[axis][number + 1]; };
  return {{begin(0, some.lo[0]), begin(1, some.lo[1])},
          {begin(0, some.hi[0]), begin(1, some.hi[1])}};
}

void patches::compare(block const& of, seam::box<2> const& some) {
  seam::for_each_cell(some, [&](seam::cell_index<2> const& patch) {
    state_of(patch[0], patch[1]) =
        compare_words(of, words_of({patch, {patch[0] + 1, patch[1] + 1}}));
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
  for (; begin < end; begin += most) {
    seam::box<2> const strip{{row, begin}, {row + 1, std::min(end, begin + most)}};
    if (!lengthen_strip(strip))
      awake_.push_back(strip);
  }
}

/// Adds a strip to the one above it, if both have the same columns.
bool patches::lengthen_strip(seam::box<2> const& strip) {
  auto& number = strip_at_[strip.lo[1]];
  if (number < std::ssize(awake_)) {
    seam::box<2>& above = awake_[number];
    if (above.lo[1] == strip.lo[1] && above.hi == seam::cell_index<2>{strip.lo[0], strip.hi[1]} &&
        above.extent(0) < most_rows_) {
      ++above.hi[0];
      return true;
    }
  }
  number = std::ssize(awake_);
  return false;
}

} // namespace life
