// What the network costs is measured once for all processes, those included that took no part.
#include <seam/mapping/network.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;

TEST_CASE("what is measured is known to all ranks, whoever asks next") {
  auto const world = testing::world();
  int const rank = world.rank();
  auto const found = network_of(world);
  CHECK(found.latency > 0);
  CHECK(found.latency < 1);
  CHECK(found.seconds_per_byte >= 0);
  CHECK(network_of(world) == found);
  // Ranks 1, 2, ... among themselves.
  if (auto const others = world.split(rank == 0 ? MPI_UNDEFINED : 0, rank))
    CHECK(network_of(*others) == found);
}
