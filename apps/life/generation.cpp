#include "generation.hpp"

#include "rle.hpp"

#include <seam/exchange/mpi/collective.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace life {
namespace {

/// The live cells of a whole board.
pattern pattern_of(std::vector<std::uint8_t> const& states, board const& where) {
  pattern all{where.width, where.height, {}, {}, {}};
  for (std::int64_t row = 0; row < where.height; ++row)
    for (std::int64_t column = 0; column < where.width; ++column)
      if (states[static_cast<std::size_t>(row * where.width + column)] != 0)
        all.alive.push_back({row, column});
  return all;
}

/// The same cells in the least box that holds them.
pattern cropped(pattern all) {
  cell first{all.height, all.width}, last{-1, -1};
  for (cell const& one : all.alive) {
    first = {std::min(first.row, one.row), std::min(first.column, one.column)};
    last = {std::max(last.row, one.row), std::max(last.column, one.column)};
  }
  all.width = std::max<std::int64_t>(0, last.column - first.column + 1);
  all.height = std::max<std::int64_t>(0, last.row - first.row + 1);
  for (cell& one : all.alive)
    one = {one.row - first.row, one.column - first.column};
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
  for (cell const& one : start.alive) {
    seam::cell_index<2> const at{top + one.row, left + one.column};
    if (owned.contains(at))
      states(at[0] - owned.lo[0], at[1] - owned.lo[1]) = 1;
  }
}

std::int64_t population(generation const& cells) {
  auto const own = seam::parallel_sum("life::population", cells.owned(),
                                      [states = cells.view()](seam::cell_index<2> const& at) {
                                        return std::int64_t{states[at]};
                                      });
  return seam::mpi::allreduce(cells.grid().base(), own, MPI_SUM);
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
  if (!path.empty())
    seam::require_writable(runtime, path);
  if (wanted.every > 0)
    seam::require_writable(runtime, seam::numbered_path(path, 0));
}

} // namespace life
