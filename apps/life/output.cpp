#include "output.hpp"

#include "rle.hpp"

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/stencil/gather.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace life {
namespace {

using words_of_board = std::vector<word>; ///< [height][words of a row]

/// Appends the live cells of a word, whose first cell is in `column`.
void add_cells(std::vector<run_of_cells>& alive, word cells, std::int64_t row,
               std::int64_t column) {
  while (cells != 0) {
    column += std::countr_zero(cells);
    cells >>= std::countr_zero(cells);
    int const length = std::countr_one(cells);
    add(alive, {row, column, length});
    column += length;
    cells = length < bits_of_word ? cells >> length : 0;
  }
}

/// Makes a pattern of the live cells of a whole board.
pattern pattern_of(words_of_board const& words, board const& where, packing const& in_row) {
  pattern all{where.width, where.height, {}, {}, {}};
  auto next = words.begin();
  for (std::int64_t row = 0; row < where.height; ++row)
    for (std::int64_t number = 0; number < in_row.num_words(); ++number)
      add_cells(all.alive, *next++, row, number * in_row.cells_per_word);
  return all;
}

/// Crops a pattern to the smallest box around its live cells.
pattern cropped(pattern all) {
  std::int64_t top = all.height, left = all.width, below = 0, right = 0;
  for (run_of_cells const& run : all.alive) {
    top = std::min(top, run.row);
    left = std::min(left, run.column);
    below = std::max(below, run.row + 1);
    right = std::max(right, run.column + run.length);
  }
  all.width = std::max<std::int64_t>(0, right - left);
  all.height = std::max<std::int64_t>(0, below - top);
  for (run_of_cells& run : all.alive)
    run = {run.row - top, run.column - left, run.length};
  return all;
}

std::string in_rle(words_of_board const& words, generation const& cells, rule const& game) {
  board const& where = cells.where();
  pattern last = pattern_of(words, where, cells.layout().row);
  if (where.is_part)
    last = cropped(std::move(last));
  else
    last.board = where;
  last.rule = game;
  return to_rle(last);
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

void write_picture(generation const& cells, std::string const& path) {
  auto const& over = cells.grid().base();
  seam::output_file file(over, path);
  auto const shares = gather_shares(cells);
  seam::collectively(over, [&] {
    if (over.rank() == 0)
      seam::write_png(seam::draw(shares, drawing()), file.temporary());
  });
  file.commit(seam::written::by_rank_0);
}

void write_rle(generation const& cells, rule const& game, std::string const& path) {
  auto const words = seam::gather(cells.now());
  auto const& over = cells.grid().base();
  seam::write_text(over, over.rank() == 0 ? in_rle(words, cells, game) : "", path);
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

void write(generation const& cells, rule const& game, std::string const& path) {
  if (path.ends_with(".png"))
    write_picture(cells, path);
  else
    write_rle(cells, game, path);
}

void check_output(seam::Runtime& runtime, options const& wanted) {
  std::string const& path = wanted.output;
  seam::collectively(runtime, [&] {
    if (!path.empty() && !path.ends_with(".png") && !path.ends_with(".rle"))
      seam::refuse("--output '" + path + "' (expected a name that ends with .png or .rle)");
    if (wanted.every > 0 && !path.ends_with(".png") && wanted.animation.empty())
      seam::refuse(
          "--every without a picture (expected --output with a name that ends with .png, or "
          "--animation)");
    if (wanted.every == 0 && !wanted.animation.empty())
      seam::refuse("--animation: no generations between its frames (expected --every)");
  });
  seam::require_outputs(runtime, wanted.pattern_file,
                        {{"--output", path, ""}, {"--animation", wanted.animation, ".webp"}});
  if (wanted.every > 0 && path.ends_with(".png"))
    seam::require_writable_series(runtime, path, wanted.generations, wanted.every);
}

} // namespace life
