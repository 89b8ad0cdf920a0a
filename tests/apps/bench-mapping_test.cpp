// The counters of seam-bench-mapping.
#include "hosts.hpp"

#include <seam/exchange/mpi/comm.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <sstream>

using namespace mapping_bench;
using seam::testing::world;

TEST_CASE("bytes are those of all interfaces but the loopback") {
  std::istringstream text(
      R"(Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
    lo:  500000    9000    0    0    0     0          0         0   500000    9000    0    0    0
 link0: 123456789012 803  1    2    3     4          5         6     7777      88    0    0    0
eth1:10 2 0 0 0 0 0 0 30 2 0 0 0
)");
  CHECK(traffic_in(text) == traffic{7777 + 30, 123456789012 + 10});
  std::istringstream nothing("no counters here\n");
  CHECK(traffic_in(nothing) == traffic{});
}

TEST_CASE("each rank has a place of its own on its host, and counters only grow") {
  auto const all = world();
  hosts const on(all.context());
  CHECK(on.host() < on.count());
  CHECK(on.index_on_host() < all.size());
  auto const first = on.count_traffic(), second = on.count_traffic();
  REQUIRE(first.size() == static_cast<std::size_t>(on.count()));
  for (std::size_t host = 0; host < first.size(); ++host) {
    CHECK(first[host].sent <= second[host].sent);
    CHECK(first[host].received <= second[host].received);
  }
}

TEST_CASE("ranks keep their placed in another order") {
  auto const all = world();
  hosts const on(all.context());
  auto const backwards = *all.split(0, -all.rank());
  auto const placed = on.placement_of(backwards.context()), before = on.placement_of(all.context());
  for (int rank = 0; rank < all.size(); ++rank)
    CHECK(placed.ranks2places[rank] == before.ranks2places[all.size() - 1 - rank]);
}
