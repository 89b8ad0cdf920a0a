#include "shown.hpp"

#include "pattern.hpp"

#include <seam/grid.hpp>
#include <seam/sparse.hpp>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

namespace life {
namespace {

using words_of_board = std::vector<word>; ///< [height][words of a row]

/// Makes a pattern of the live cells of a whole board.
pattern pattern_of(words_of_board const& words, board const& where, packing const& in_row) {
  pattern all{where.width, where.height, {}, {}, {}};
  auto next = words.begin();
  for (std::int64_t row = 0; row < where.height; ++row)
    for (std::int64_t number = 0; number < in_row.num_words(); ++number)
      for_each_run_of_word(*next++, [&](int bit, int length) {
        add(all.alive, {row, number * in_row.cells_per_word + bit, length});
      });
  return all;
}

/// Number of live cells from `begin` to `end` - 1 of a row.
int living(word const* row, packing const& in_row, std::int64_t begin, std::int64_t end) {
  int count = 0;
  for_each_word(in_row, begin, end, [&](std::int64_t number, word bits) {
    count += std::popcount(row[number] & bits);
  });
  return count;
}

/// The share of live cells in each square of `side` by `side` cells.
seam::shown_numbers shares_of(words_of_board const& words, board const& where,
                              packing const& in_row, std::int64_t side) {
  seam::shown_numbers shown{(where.width - 1) / side + 1, (where.height - 1) / side + 1, {}};
  for (std::int64_t top = 0; top < where.height; top += side)
    for (std::int64_t left = 0; left < where.width; left += side) {
      std::int64_t const below = std::min(where.height, top + side);
      std::int64_t const right = std::min(where.width, left + side);
      std::int64_t count = 0;
      for (std::int64_t row = top; row < below; ++row)
        count += living(&words[row * in_row.num_words()], in_row, left, right);
      shown.values.push_back(static_cast<double>(count) /
                             static_cast<double>((below - top) * (right - left)));
    }
  return shown;
}

/// Squares of cells in a box, numbered by rows.
class squares {
public:
  squares(cell_box const& all, std::int64_t side) : all_(all), side_(side) {}

  std::int64_t width() const { return (all_.extent(1) - 1) / side_ + 1; }
  std::int64_t height() const { return (all_.extent(0) - 1) / side_ + 1; }

  /// Calls visit(square, count) for the cells of a run.
  template <class Visit>
  void count(run_of_cells const& run, Visit const& visit) const {
    std::int64_t const row = (run.row - all_.lo[0]) / side_;
    std::int64_t at = run.column - all_.lo[1];
    for (std::int64_t const end = at + run.length; at < end;) {
      std::int64_t const column = at / side_, next = std::min(end, (column + 1) * side_);
      visit(row * width() + column, next - at);
      at = next;
    }
  }

private:
  cell_box all_;
  std::int64_t side_;
};

/// All cells in reach, or a square around their middle that holds all live ones.
squares choose_squares(plane const& cells, cell_box const& reach) {
  std::int64_t const most = seam::picture_options{}.largest_side;
  if (std::max(reach.extent(0), reach.extent(1)) <= most)
    return {reach, 1};
  auto const living = extent(cells);
  for (std::int64_t side = 1;; side *= 2) {
    cell_box around{};
    for (int a = 0; a < 2; ++a) {
      around.lo[a] = reach.lo[a] + (reach.extent(a) - most * side) / 2;
      around.hi[a] = around.lo[a] + most * side;
    }
    if (!living || seam::intersection(around, *living) == *living)
      return {around, side};
  }
}

/// Numbers of live cells in squares, those with any.
struct square_count {
  std::int64_t square, count;
};

std::vector<square_count> count_own(plane const& cells, squares const& in) {
  std::unordered_map<std::int64_t, std::int64_t> counts;
  for (tile const* const of : cells.own_tiles())
    for_each_run(*of, [&](run_of_cells const& run) {
      in.count(run, [&](std::int64_t square, std::int64_t count) { counts[square] += count; });
    });
  std::vector<square_count> all;
  for (auto const& [square, count] : counts)
    all.push_back({square, count});
  return all;
}

} // namespace

seam::picture_options drawing() {
  return {.colors = seam::ink_on_paper(), .range = {{0, 1}}, .upward = false};
}

seam::shown_numbers gather_shares(generation const& cells) {
  auto const words = seam::gather(cells.now());
  if (words.empty())
    return {};
  board const& where = cells.where();
  std::int64_t const side =
      (std::max(where.width, where.height) - 1) / seam::picture_options{}.largest_side + 1;
  return shares_of(words, where, cells.layout().row, side);
}

cell_box reach_of(pattern const& start, std::int64_t generations) {
  std::int64_t const far = std::min(generations, std::int64_t{1} << 60);
  return {{-far, -far}, {start.height + far, start.width + far}};
}

seam::shown_numbers gather_shares(plane const& cells, cell_box const& reach) {
  squares const shown = choose_squares(cells, reach);
  seam::SparseExchange exchange(cells.base());
  exchange.pack(0, count_own(cells, shown));
  exchange.exchange();
  if (cells.base().rank() != 0)
    return {};
  seam::shown_numbers all{shown.width(), shown.height(), {}};
  all.values.resize(shown.width() * shown.height());
  while (exchange.receive())
    for (auto const& [square, count] : exchange.unpack<std::vector<square_count>>())
      all.values[square] += static_cast<double>(count);
  if (double const most = *std::ranges::max_element(all.values); most > 0)
    for (double& share : all.values)
      share /= most;
  return all;
}

std::string in_rle(generation const& cells, rule const& game) {
  auto const words = seam::gather(cells.now());
  if (words.empty())
    return "";
  pattern last = pattern_of(words, cells.where(), cells.layout().row);
  last.board = cells.where();
  last.rule = game;
  return to_rle(last);
}

std::string in_rle(plane const& cells, rule const& game) {
  pattern last = gather(cells);
  last.rule = game;
  return to_rle(last);
}

} // namespace life
