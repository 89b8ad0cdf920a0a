// More bytes than an int can count, in one block and in many.
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <vector>

using namespace seam;

TEST_CASE("a block of more than 2 GiB arrives whole") {
  auto const world = testing::world();
  constexpr std::int64_t count = (std::int64_t{1} << 28) + 12345; // of doubles: 2 GiB and some more
  int const rank = world.rank();
  Communicator const pair =
      make_graph(world, rank == 0 ? Topology::graph({}, {{1}}) : Topology::graph({{0}}, {}));
  std::vector<double> values(static_cast<std::size_t>(count), rank == 0 ? 1.5 : 0.0);
  if (rank == 0)
    values.front() = 2.5, values.back() = 3.5;
  run(pair, bcast(values, 0));
  CHECK(values.front() == 2.5);
  CHECK(values[values.size() / 2] == 1.5);
  CHECK(values.back() == 3.5);
}
