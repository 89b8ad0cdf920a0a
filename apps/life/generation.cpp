#include "generation.hpp"

#include <algorithm>
#include <bit>

namespace life {
namespace {

seam::Grid<2> divide(seam::Communicator const& over, board const& where, layout const& how) {
  bool const torus = where.topology == topology::torus;
  int const down = how.depth, right = how.reach;
  seam::grid_options<2> wanted;
  wanted.cells = {where.height, how.row.num_words()};
  wanted.periodic = {torus, torus};
  wanted.processes = how.processes;
  wanted.neighborhood = seam::offsets({{-down, -right},
                                       {-down, 0},
                                       {-down, right},
                                       {0, -right},
                                       {0, right},
                                       {down, -right},
                                       {down, 0},
                                       {down, right}});
  return {over, wanted};
}

} // namespace

generation::generation(seam::Communicator const& over, board const& where, int depth)
    : where_(where),
      layout_(choose_layout(over.size(), where, depth)),
      grid_(divide(over, where, layout_)),
      fields_{grid_.field<word>("now"), grid_.field<word>("next")} {
  for (field& cells : fields_) {
    cells.boundary(seam::outside(word{0})); // beyond a plane cells are dead, once and for all
    cells.fill_borders();
  }
}

void put(pattern const& start, generation& cells) {
  board const& where = cells.where();
  packing const& row = cells.layout().row;
  auto const owned = cells.grid().owned();
  auto const words = cells.now().view();
  std::int64_t const top = (where.height - start.height) / 2;
  std::int64_t const left = (where.width - start.width) / 2;
  for (run_of_cells const& run : start.alive) {
    std::int64_t const at = top + run.row, begin = left + run.column;
    if (at < owned.lo[0] || at >= owned.hi[0])
      continue;
    for_each_word(row, std::max(begin, owned.lo[1] * row.cells_per_word),
                  std::min(begin + run.length, owned.hi[1] * row.cells_per_word),
                  [&](std::int64_t number, word bits) {
                    words(at - owned.lo[0], number - owned.lo[1]) |= bits;
                  });
  }
}

std::int64_t population(generation const& cells) {
  return seam::sum(cells.now(), [](word of) { return std::popcount(of); });
}

} // namespace life
