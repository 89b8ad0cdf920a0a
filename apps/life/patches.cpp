#include "patches.hpp"

#include <seam/grid.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace life {
namespace {

// Where most patches are awake, few will sleep soon: they are compared in one turn of so many.
constexpr std::int64_t turns_between = 8;

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

// Words of a patch are fewer: patches share an axis evenly.
static_assert(word_columns::most == 2 * words_of_patch);

/// Rows of `now` and of `next` that lie below each other.
struct compared_rows {
  word const *now, *next;
  std::int64_t now_stride, next_stride; ///< from row to row [words]
};

/// Compares the rows `begin` to `end` - 1.
template <class Words>
void compare_rows(compared_rows const& rows, std::int64_t begin, std::int64_t end, Words num_words,
                  word_columns& found) {
  word_columns all = found;
  for (std::int64_t row = begin; row < end; ++row)
    all.add(rows.now + row * rows.now_stride, rows.next + row * rows.next_stride, num_words);
  found = all;
}

} // namespace

patches::patches(generation const& cells) {
  auto const extents = cells.grid().owned().extents();
  count_ = {std::max<std::int64_t>(1, extents[0] / rows_of_patch),
            std::max<std::int64_t>(1, extents[1] / words_of_patch)};
  begins_ = {beginnings(extents[0], count_[0], cells.layout().depth),
             beginnings(extents[1], count_[1], cells.layout().reach)};
  reach_ = {cells.layout().depth, cells.layout().reach};
  states_.assign((count_[0] + 2) * (count_[1] + 2), all_zones);
  ends_.resize(count_[0] + 2);
  add_ghosts(cells);
  awake_.reserve(count_[0] * count_[1]);
  strip_at_.resize(count_[1]);
  std::int64_t const num_strips = count_[0] * ((extents[1] - 1) / words_of_strip + 1);
  int const num_threads = seam::num_loop_threads();
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

/// As far as there is anything to learn.
zones patches::compare_words(block const& of, seam::box<2> const& words) const {
  seam::field_view<word const, 2> const before = of.next;
  std::int64_t const num_rows = words.extent(0), num_words = words.extent(1);
  auto const row = [&](auto const& view, std::int64_t number) {
    return view.row({words.lo[0] + number, words.lo[1]}, num_words);
  };
  compared_rows rows{row(of.now, 0), row(before, 0), 0, 0};
  if (num_rows > 1) {
    rows.now_stride = row(of.now, 1) - rows.now;
    rows.next_stride = row(before, 1) - rows.next;
  }
  auto const look = [&](word_columns& found, std::int64_t begin, std::int64_t end) {
    if (num_words == words_of_patch)
      compare_rows(rows, begin, end, std::integral_constant<std::int64_t, words_of_patch>{}, found);
    else
      compare_rows(rows, begin, end, num_words, found);
  };
  std::int64_t const first_end = std::min(reach_[0], num_rows);
  std::int64_t const last_begin = std::max<std::int64_t>(num_rows - reach_[0], 0);
  word_columns first, last;
  look(first, 0, first_end);
  look(last, last_begin, num_rows);
  word_columns all = first;
  all.add(last);
  zones const ends = first.in_row(-1, num_words, reach_[1]) | last.in_row(1, num_words, reach_[1]);
  zones const across = all.in_row(0, num_words, reach_[1]);
  if ((ends | across) == all_zones)
    return all_zones;
  look(all, first_end, last_begin);
  return ends | all.in_row(0, num_words, reach_[1]);
}

void patches::compare(block const& of, seam::box<2> const& some) {
  seam::for_each_cell(some, [&, looks = looks()](seam::cell_index<2> const& patch) {
    states_[number_of(patch[0], patch[1])] =
        looks ? compare_words(of, words_of({patch, {patch[0] + 1, patch[1] + 1}})) : all_zones;
  });
}

bool patches::looks() const { return !most_are_awake_ || num_turns_ % turns_between == 1; }

void patches::compare_ghosts(block const& of) {
  auto const compare_one = [&](seam::box<2> const& some) { compare(of, some); };
  if (looks())
    seam::for_each_tile(ghosts_, compare_one);
  else // less than threads cost
    std::ranges::for_each(ghosts_, compare_one);
}

/// Beyond the borders of a plane all cells are dead and stay so: there is nothing to compare.
void patches::add_ghosts(generation const& cells) {
  seam::box<2> const own{{}, count_};
  bool const torus = cells.where().topology == topology::torus;
  auto const is_on_board = [&, owned = cells.grid().owned(),
                            all = cells.grid().domain()](seam::cell_index<2> const& patch) {
    for (int a = 0; a < 2; ++a)
      if ((patch[a] < 0 && owned.lo[a] == 0) || (patch[a] == count_[a] && owned.hi[a] == all.hi[a]))
        return false;
    return true;
  };
  for (auto const& part : seam::difference(seam::grow(own, {1, 1}, {1, 1}), own))
    seam::for_each_cell(part, [&](seam::cell_index<2> const& patch) {
      if (torus || is_on_board(patch))
        ghosts_.push_back({patch, {patch[0] + 1, patch[1] + 1}});
      else
        states_[number_of(patch[0], patch[1])] = 0;
    });
}

/// The zones of neighbors that face the patch are those of the opposite numbers.
bool patches::is_awake(std::int64_t row, std::int64_t column, bool comes_again,
                       bool life_from_nothing) const {
  std::int64_t const at = number_of(row, column), columns = count_[1] + 2;
  zones around = 0;
  for (int r = -1; r <= 1; ++r)
    for (int c = -1; c <= 1; ++c)
      around |= facing(states_[at + r * columns + c], -r, -c);
  return !rests(around, comes_again, life_from_nothing);
}

void patches::find_ends() {
  std::int64_t const columns = count_[1] + 2;
  for (std::int64_t row = -1; row <= count_[0]; ++row) {
    auto const first = states_.begin() + (row + 1) * columns, end = first + columns;
    auto const is_one = [](zones of) { return of != 0; };
    auto const begin = std::find_if(first, end, is_one);
    auto const last =
        std::find_if(std::reverse_iterator(end), std::reverse_iterator(begin), is_one);
    ends_[row + 1] = {begin - first - 1, last.base() - first - 1};
  }
}

/// The columns in which patches of a row have neighbors whose state is not 0, or are such ones.
std::pair<std::int64_t, std::int64_t> patches::columns_to_ask(std::int64_t row) const {
  std::int64_t begin = count_[1], end = 0;
  for (std::int64_t r = row - 1; r <= row + 1; ++r) {
    auto const& [first, behind] = ends_[r + 1];
    if (first < behind) {
      begin = std::min(begin, first - 1);
      end = std::max(end, behind + 1);
    }
  }
  return {std::max<std::int64_t>(begin, 0), std::min(end, count_[1])};
}

std::vector<seam::box<2>> const& patches::wake(int generations, bool life_from_nothing) {
  bool const comes_again = last_generations_ > 0 && generations % last_generations_ == 0;
  awake_.clear();
  find_ends();
  for (std::int64_t row = 0; row < count_[0]; ++row) {
    auto const [first, behind] =
        life_from_nothing ? std::pair(std::int64_t{0}, count_[1]) : columns_to_ask(row);
    for (std::int64_t column = first; column < behind;) {
      std::int64_t end = column;
      while (end < behind && is_awake(row, end, comes_again, life_from_nothing))
        ++end;
      add_strips(row, column, end);
      column = end + 1;
    }
  }
  std::int64_t num_awake = 0;
  for (auto const& strip : awake_)
    num_awake += strip.num_cells();
  most_are_awake_ = num_awake > count_[0] * count_[1] * 3 / 4;
  last_generations_ = generations;
  ++num_turns_;
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
