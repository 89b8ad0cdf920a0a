// Loops by threads visit each tile and each index once, whatever the number of threads.
#include <seam/stencil/fields/for_each_tile.hpp>

#include <support/catch.hpp>

#include <atomic>
#include <vector>

using namespace seam;

TEST_CASE("each index is visited once") {
  int const count = GENERATE(0, 1, 2, 1000);
  std::vector<std::atomic<int>> visits(count);
  for_each_index(count, [&](int k) { ++visits[k]; });
  for (auto const& number : visits)
    CHECK(number == 1);
  CHECK(num_loop_threads() >= 1);
}

TEST_CASE("each tile is visited once") {
  std::vector<box<2>> tiles;
  for (std::int64_t row = 0; row < 7; ++row)
    tiles.push_back({{row, 0}, {row + 1, 5}});
  std::vector<std::atomic<int>> visits(tiles.size());
  for_each_tile(tiles, [&](box<2> const& tile) { ++visits[tile.lo[0]]; });
  for (auto const& number : visits)
    CHECK(number == 1);
}
