// Shared memory: it is its owner's alone until the owner tells others its place, and each process
// takes it and gives it back at any time.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// Nodes of at most `ranks` in a scope.
class node_size_in_scope {
public:
  explicit node_size_in_scope(int ranks) : before_(node_size()) { set_node_size(ranks); }
  node_size_in_scope(node_size_in_scope const&) = delete;
  node_size_in_scope& operator=(node_size_in_scope const&) = delete;
  ~node_size_in_scope() { set_node_size(before_); }

private:
  int before_;
};

} // namespace

TEST_CASE("the node size divides processes into nodes, in any order of ranks") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  int const size = world.size();
  for (int ranks : {1, 2, 3, 0}) {
    node_size_in_scope const virtual_nodes(ranks);
    int const per_node = ranks == 0 ? size : ranks;
    auto const backwards = world.split(0, -world.rank()).value();
    auto const& where = backwards.node();
    int num_near = 0;
    for (int peer = 0; peer < size; ++peer) {
      bool const is_near = (size - 1 - peer) / per_node == world.rank() / per_node;
      num_near += is_near;
      if (!where.is_alone())
        CHECK((where.local_rank(peer) != node::elsewhere) == is_near);
    }
    CHECK(where.is_alone() == (num_near == 1));
  }
}

TEST_CASE("memory of different lengths is there, aligned, and disjoint") {
  auto const world = testing::world();
  for (bool shared : {true, false}) {
    shared_memory_in_scope const use(shared);
    std::int64_t const count = 1000 * world.rank();
    std::vector<std::shared_ptr<int[]>> all;
    for (int k = 0; k < 5; ++k) {
      all.push_back(allocate<int>(world, count));
      CHECK(reinterpret_cast<std::uintptr_t>(all.back().get()) % 64 == 0);
      std::fill_n(all.back().get(), count, 10 * world.rank() + k);
    }
    mpi::barrier(world);
    for (int k = 0; k < 5; ++k)
      CHECK(std::all_of(all[std::size_t(k)].get(), all[std::size_t(k)].get() + count,
                        [&](int value) { return value == 10 * world.rank() + k; }));
  }
}

TEST_CASE("a process finds memory by the place that another one has sent") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const& where = world.node();
  if (where.is_alone())
    return;
  int const size = world.size(), next = (world.rank() + 1) % size;
  auto const values = allocate<double>(world, 100);
  values[7] = 1.5 + world.rank();
  auto const* const first = reinterpret_cast<std::byte const*>(values.get());
  auto const reader = where.memory().world_rank(0);
  CHECK_FALSE(place_of(first, 1 << 30, reader));
  CHECK_FALSE(place_of(reinterpret_cast<std::byte const*>(&size), 4, reader));
  auto const place = place_of(first + 7 * sizeof(double), sizeof(double), reader).value();
  auto const segments = mpi::allgather(world, place.segment);
  auto const owners = mpi::allgather(world, place.owner);
  auto const offsets = mpi::allgather(world, place.offset);
  if (where.local_rank(next) != node::elsewhere) {
    auto const n = std::size_t(next);
    auto const* const there = address_of({segments[n], owners[n], offsets[n]});
    CHECK(*reinterpret_cast<double const*>(there) == 1.5 + next);
  }
  mpi::barrier(world);
}

TEST_CASE("memory is used again, whichever rank gives it back first") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  constexpr std::int64_t bytes = std::int64_t{3} << 20;
  std::vector<std::byte*> found;
  std::shared_ptr<std::byte[]> late;
  for (int k = 0; k < 50; ++k) {
    auto memory = allocate<std::byte>(world, bytes);
    std::fill_n(memory.get(), bytes, std::byte(k));
    found.push_back(memory.get());
    if ((world.rank() + k) % 3 == 0)
      late = std::move(memory); // kept until the next memory has been taken
  }
  std::ranges::sort(found);
  if (!world.node().is_alone())
    CHECK(std::unique(found.begin(), found.end()) - found.begin() <= 3);
}

TEST_CASE("memory that cannot be allocated is refused or found elsewhere") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  CHECK_THROWS_WITH(allocate<int>(world, world.rank() == world.size() - 1 ? -1 : 1),
                    Catch::Contains("allocate: -4 bytes (expected 0 or more)"));
  if (!world.node().is_alone())
    CHECK(world.node().memory().allocate(std::int64_t{1} << 50) == nullptr);
}
