// Sides and depths against a walk over all cells that a block reads.
#include <seam/mapping/neighborhood.hpp>
#include <seam/stencil/roles/step_offsets.hpp>
#include <seam/stencil/space/ghosts.hpp>

#include <support/catch.hpp>

#include <random>

using namespace seam;
using namespace seam::detail;

namespace {

/// The sides of blocks of a grid with `num_axes` axes.
std::vector<ghost_side> sides_of(neighborhood const& declared, int num_axes) {
  return ghost_sides(padded_offsets(declared, num_axes));
}

} // namespace

TEST_CASE("known neighborhoods have the sides one expects") {
  CHECK(sides_of(von_neumann(1), 2).size() == 4);
  CHECK(sides_of(moore(1), 2).size() == 8);
  CHECK(sides_of(von_neumann(3), 3).size() == 26);
  CHECK(sides_of(moore(2), 3).size() == 26);
  auto const diamond = sides_of(von_neumann(2), 2);
  REQUIRE(diamond.size() == 8);
  CHECK(diamond[0].direction == index3{0, -1, -1});
  CHECK(diamond[0].depth == index3{0, 1, 1});
  CHECK(diamond[1].depth == index3{0, 2, 0});
}

TEST_CASE("one directed offset needs three sides: the faces that it crosses, and the corner") {
  auto const sides = ghost_sides({{0, -2, 1}});
  REQUIRE(sides.size() == 3);
  CHECK(sides[0].direction == index3{0, -1, 0});
  CHECK(sides[1].direction == index3{0, -1, 1});
  CHECK(sides[1].depth == index3{0, 2, 1});
  CHECK(sides[2].direction == index3{0, 0, 1});
  auto const width = width_of(sides);
  CHECK(width.below == index3{0, 2, 0});
  CHECK(width.above == index3{0, 0, 1});
}

TEST_CASE("every cell that a kernel reads is owned or a ghost") {
  std::mt19937 random(3);
  auto const pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<cell_index<3>> offsets(pick(1, 5));
    for (auto& offset : offsets)
      offset = {pick(-3, 3), pick(-3, 3), pick(-3, 3)};
    box<3> const block{{10, 20, 30}, {13 + pick(0, 2), 23, 34}};
    auto const sides = ghost_sides(offsets);
    int missing = 0;
    for_each_cell(block, [&](cell_index<3> const& cell) {
      for (auto const& offset : offsets) {
        cell_index<3> const read{cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2]};
        bool const there =
            block.contains(read) || std::ranges::any_of(sides, [&](auto const& side) {
              return ghosts_at(block, side).contains(read);
            });
        missing += !there;
      }
    });
    CHECK(missing == 0);
    for (auto const& side : sides)
      CHECK(ghosts_at(block, side).extents() == rim_for(block, side).extents());
  }
}
