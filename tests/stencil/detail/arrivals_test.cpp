// Which ghosts are awaited follows from the plan: those of messages, and copies behind messages.
#include <seam/stencil/detail/arrivals.hpp>
#include <seam/stencil/detail/sweep_chain.hpp>
#include <seam/stencil/detail/tiles.hpp>
#include <seam/stencil/field.hpp>

#include <support/catch.hpp>
#include <support/hand_made_rounds.hpp>
#include <support/world.hpp>

#include <random>

using namespace seam;
using namespace seam::detail;
using seam::testing::round_bringing;

TEST_CASE("copies are awaited if and only if a message precedes them") {
  box<2> const low{{-1, 0}, {0, 5}}, high{{4, 0}, {5, 5}}, left{{-1, -1}, {5, 0}},
      right{{-1, 5}, {5, 6}};
  constexpr int me = 3, other = 7;
  halo_arrivals<2> const all({round_bringing<2>({{me, low}, {me, high}}),
                              round_bringing<2>({{me, left}, {other, right}}),
                              round_bringing<2>({{me, left}})},
                             me);
  std::vector<bool> awaited;
  for (auto const& edge : all.edges())
    awaited.push_back(edge.is_awaited);
  CHECK(awaited == std::vector{false, false, false, true, true});
}

TEST_CASE("no cell at hand is awaited, and owned cells are at hand") {
  box<2> const owned{{0, 0}, {4, 5}};
  ghost_width<2> const ghosts{{1, 2}, {2, 1}};
  constexpr int me = 0, other = 1;
  SECTION("copies alone") {
    halo_arrivals<2> const all({round_bringing<2>({{me, {{-1, 0}, {0, 5}}}})}, me);
    CHECK(all.at_hand(owned, ghosts) == box<2>{{-1, -2}, {6, 6}});
  }
  SECTION("copies behind a message from one side") {
    halo_arrivals<2> const all({round_bringing<2>({{other, {{-1, 0}, {0, 5}}}}),
                                round_bringing<2>({{me, {{-1, 5}, {6, 6}}}})},
                               me);
    CHECK(all.at_hand(owned, ghosts) == box<2>{{0, -2}, {6, 5}});
  }
  SECTION("messages in parts, some of which lie beside ghosts alone") {
    halo_arrivals<2> const all(
        {round_bringing<2>(
            {{other, {{4, -2}, {6, 0}}}, {other, {{4, 0}, {6, 3}}}, {other, {{4, 3}, {6, 6}}}})},
        me);
    box<2> const at_hand = all.at_hand(owned, ghosts);
    CHECK(intersection(at_hand, owned) == owned);
    for (auto const& edge : all.edges())
      CHECK(intersection(at_hand, edge.ghosts).is_empty());
  }
}

TEST_CASE("on a grid copies are awaited on no axis that a process has to itself") {
  Grid<3> const grid(testing::world(), {.cells = {26, 7, 8},
                                        .periodic = {true, true, true},
                                        .neighborhood = moore(1),
                                        .processes = {0, 1, 1}});
  halo_arrivals<3> const all(grid.halo_parts(), grid.rank());
  box<3> const owned{{}, grid.owned().extents()};
  box<3> expected = grow(owned, grid.ghosts().below, grid.ghosts().above);
  if (grid.size() > 1) {
    expected.lo[0] = owned.lo[0];
    expected.hi[0] = owned.hi[0];
  }
  CHECK(all.at_hand(owned, grid.ghosts()) == expected);
}
