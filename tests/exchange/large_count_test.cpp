// More bytes than an int can count, in one block and in many.
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/shared_memory.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <span>
#include <vector>

using namespace seam;

namespace {

constexpr std::int64_t count = (std::int64_t{1} << 28) + 12345; // of doubles: 2 GiB and some more

/// An edge from rank 0 to rank 1.
Communicator make_pair(Communicator const& world) {
  return make_graph(world,
                    world.rank() == 0 ? Topology::graph({}, {{1}}) : Topology::graph({{0}}, {}));
}

} // namespace

TEST_CASE("a block of more than 2 GiB arrives whole") {
  auto const world = testing::world();
  int const rank = world.rank();
  Communicator const pair = make_pair(world);
  std::vector<double> values(static_cast<std::size_t>(count), rank == 0 ? 1.5 : 0.0);
  if (rank == 0)
    values.front() = 2.5, values.back() = 3.5;
  run(pair, bcast(values, 0));
  CHECK(values.front() == 2.5);
  CHECK(values[values.size() / 2] == 1.5);
  CHECK(values.back() == 3.5);
}

TEST_CASE("a block of more than 2 GiB is read from where it lies in shared memory") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const storage = allocate<double>(world, count);
  std::span const values(storage.get(), static_cast<std::size_t>(count));
  std::ranges::fill(values, world.rank() == 0 ? 1.5 : 0.0);
  if (world.rank() == 0)
    values.front() = 2.5, values.back() = 3.5;
  prepare(make_pair(world), bcast(values, 0)).run();
  CHECK(values.front() == 2.5);
  CHECK(values[values.size() / 2] == 1.5);
  CHECK(values.back() == 3.5);
}
