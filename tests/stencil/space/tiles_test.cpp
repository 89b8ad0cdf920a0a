// Tiles and differences of boxes cover every cell once.
#include <seam/stencil/space/tiles.hpp>

#include <support/catch.hpp>

#include <map>

using namespace seam;
using namespace seam::detail;

namespace {

template <int D>
std::map<cell_index<D>, int> count_cells(std::vector<box<D>> const& boxes) {
  std::map<cell_index<D>, int> counts;
  for (box<D> const& tile : boxes)
    for_each_cell(tile, [&](cell_index<D> const& cell) { ++counts[cell]; });
  return counts;
}

template <int D>
void check_cover(box<D> const& whole, std::vector<box<D>> const& boxes) {
  auto const counts = count_cells<D>(boxes);
  CHECK(std::ssize(counts) == whole.num_cells());
  for (auto const& [cell, count] : counts) {
    CHECK(count == 1);
    CHECK(whole.contains(cell));
  }
}

} // namespace

TEST_CASE("cutting a box keeps every cell once and respects the size") {
  box<3> const whole{{-1, 2, 0}, {4, 9, 13}};
  for (std::int64_t most : {1, 7, 13, 100, 1000}) {
    auto const tiles = cut(whole, most);
    check_cover(whole, tiles);
    for (box<3> const& tile : tiles)
      CHECK(tile.num_cells() <= most);
  }
  CHECK(cut({{0, 0, 3}, {1, 5, 3}}, 10).empty());
}
