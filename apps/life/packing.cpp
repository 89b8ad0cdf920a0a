#include "packing.hpp"

#include <seam/mapping.hpp>

#include <optional>
#include <vector>

namespace life {
namespace {

/// The processes on each axis, if there are words for all.
std::optional<std::vector<int>> divide(int num_ranks, board const& where, packing const& row) {
  return seam::dims_for_blocks(
      num_ranks, {.cells = {where.height, row.num_words()}, .widths = {1, 1}, .processes = {0, 0}});
}

/// The least number of cells in `reach` words beside a block.
int cells_beside(board const& where, packing const& row, int reach) {
  bool const begins_anew = where.topology == topology::torus;
  return (begins_anew ? row.cells_of_last() : row.cells_per_word) +
         (reach - 1) * row.cells_per_word;
}

} // namespace

layout choose_layout(int num_ranks, board const& where, int most_depth) {
  layout chosen{.row = {.width = where.width}};
  packing& row = chosen.row;
  auto processes = divide(num_ranks, where, row);
  for (; !processes && row.cells_per_word > 1; processes = divide(num_ranks, where, row))
    row.cells_per_word /= 2;
  if (!processes)
    return chosen;
  std::int64_t const rows = where.height / processes->at(0);
  std::int64_t const words = row.num_words() / processes->at(1);
  chosen.processes = {processes->at(0), processes->at(1)};
  chosen.reach = words > 1 && cells_beside(where, row, 1) < most_depth ? 2 : 1;
  chosen.depth = static_cast<int>(
      std::min<std::int64_t>({most_depth, rows, cells_beside(where, row, chosen.reach)}));
  return chosen;
}

} // namespace life
