#include "generation.hpp"

#include "rle.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace life {
namespace {

/// Makes a pattern of the live cells of a whole board.
pattern pattern_of(std::vector<std::uint8_t> const& states, board const& where) {
  pattern all{where.width, where.height, {}, {}, {}};
  for (std::int64_t row = 0; row < where.height; ++row)
    for (std::int64_t column = 0; column < where.width; ++column)
      if (states[row * where.width + column] != 0)
        add(all.alive, {row, column});
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

void write_rle(generation const& cells, rule const& game, board const& where,
               std::string const& path) {
  auto const states = seam::gather(cells);
  std::string text;
  if (cells.grid().rank() == 0) {
    pattern last = pattern_of(states, where);
    if (where.is_part)
      last = cropped(std::move(last));
    else
      last.board = where;
    last.rule = game;
    text = to_rle(last);
  }
  seam::write_text(cells.grid().base(), text, path);
}

} // namespace

void put(pattern const& start, generation& cells) {
  auto const size = cells.grid().cells();
  std::int64_t const top = (size[0] - start.height) / 2, left = (size[1] - start.width) / 2;
  auto const owned = cells.grid().owned();
  auto const states = cells.view();
  for (run_of_cells const& run : start.alive) {
    std::int64_t const row = top + run.row, begin = left + run.column;
    if (row < owned.lo[0] || row >= owned.hi[0])
      continue;
    std::int64_t const end = std::min(owned.hi[1], begin + run.length);
    for (std::int64_t column = std::max(owned.lo[1], begin); column < end; ++column)
      states(row - owned.lo[0], column - owned.lo[1]) = 1;
  }
}

std::int64_t population(generation const& cells) {
  return seam::sum(cells, [](std::uint8_t state) { return state != 0; });
}

void write(generation const& cells, rule const& game, board const& where, std::string const& path) {
  if (path.ends_with(".png"))
    seam::write_png(cells, path,
                    {.colors = seam::ink_on_paper(), .range = {{0, 1}}, .upward = false});
  else
    write_rle(cells, game, where, path);
}

void check_output(seam::Runtime& runtime, options const& wanted) {
  std::string const& path = wanted.output;
  seam::collectively(runtime, [&] {
    if (!path.empty() && !path.ends_with(".png") && !path.ends_with(".rle"))
      seam::refuse("--output '" + path + "' (expected a name that ends with .png or .rle)");
    if (wanted.every > 0 && !path.ends_with(".png"))
      seam::refuse("--every without a picture (expected --output with a name that ends with .png)");
  });
  seam::require_outputs(runtime, wanted.pattern_file, {{"--output", path, ""}});
  if (wanted.every > 0)
    seam::require_writable_series(runtime, path, wanted.generations, wanted.every);
}

} // namespace life
