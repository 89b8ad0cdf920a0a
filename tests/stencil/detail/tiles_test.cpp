// Tiles and differences of boxes cover every cell once.
#include <seam/stencil/detail/tiles.hpp>

#include <support/catch.hpp>

#include <map>

using namespace seam;
using namespace seam::detail;

namespace {

template <int D>
std::map<cell_index<D>, int> count_cells(std::vector<box<D>> const& boxes) {
  std::map<cell_index<D>, int> counts;
  for (box<D> const& one : boxes)
    for_each_cell(one, [&](cell_index<D> const& cell) { ++counts[cell]; });
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
  CHECK(cut(box<2>{{0, 3}, {5, 3}}, 10).empty());
}

TEST_CASE("interior and rim are the owned cells, and no interior cell reads what must arrive") {
  box<2> const owned{{0, 0}, {9, 7}};
  ghost_width<2> const ghosts{{1, 0}, {2, 3}};
  auto const tiles = make_sweep_tiles(owned, owned, ghosts);
  auto all = tiles.interior;
  all.insert(all.end(), tiles.rim.begin(), tiles.rim.end());
  check_cover(owned, all);
  CHECK(std::ssize(count_cells<2>(tiles.interior)) == (9 - 1 - 2) * (7 - 3));
  for (auto const& [cell, count] : count_cells<2>(tiles.interior))
    CHECK((cell[0] >= 1 && cell[0] < 7 && cell[1] < 4));
}

TEST_CASE("sides whose ghosts are at hand have no rim") {
  box<2> const owned{{0, 0}, {9, 7}};
  ghost_width<2> const ghosts{{1, 2}, {1, 2}};
  auto const tiles = make_sweep_tiles(owned, box<2>{{-1, -2}, {9, 9}}, ghosts);
  CHECK(count_cells<2>(tiles.interior) == count_cells<2>({{{0, 0}, {8, 7}}}));
  CHECK(count_cells<2>(tiles.rim) == count_cells<2>({{{8, 0}, {9, 7}}}));
}

TEST_CASE("a block thinner than its halo is rim altogether") {
  auto const tiles = make_sweep_tiles(box<1>{{0}, {3}}, box<1>{{0}, {3}}, ghost_width<1>{{2}, {2}});
  CHECK(tiles.interior.empty());
  CHECK(std::ssize(count_cells<1>(tiles.rim)) == 3);
}
