// Windows: accesses of neighbors to each other's memory, and refused accesses.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>

#include <support/catch.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// Puts, accumulates and gets along all edges, for a few epochs.
void use_along_edges(Communicator const& over, Topology const& edges) {
  int const rank = over.rank(), size = over.size();
  // [0, size): the values that each rank has put here; [size]: number of accumulates.
  window<int> memory(over, size + 1);
  CHECK(std::ranges::all_of(memory.local(), [](int value) { return value == 0; }));
  auto const listed = [](std::span<edge const> all, int peer) {
    return static_cast<int>(std::ranges::count(all, peer, &edge::rank));
  };
  std::vector<int> const one{1};
  for (int step = 1; step <= 3; ++step) {
    memory.fence();
    std::vector<int> const own{100 * step + rank};
    for (edge const& to : edges.destinations()) {
      memory.put(to.rank, rank, own);
      memory.accumulate(to.rank, size, one, std::plus<>());
    }
    memory.fence();
    for (int from = 0; from < size; ++from)
      CHECK(memory.local()[from] == (listed(edges.sources(), from) > 0 ? 100 * step + from : 0));
    CHECK(memory.local().back() == step * static_cast<int>(edges.sources().size()));
    std::vector<int> seen(edges.destinations().size());
    for (std::size_t e = 0; e < seen.size(); ++e)
      memory.get(edges.destinations()[e].rank, rank, std::span(seen).subspan(e, 1));
    memory.fence();
    CHECK(std::ranges::all_of(seen, [&](int value) { return value == own[0]; }));
  }
  memory.close_epoch();
}

Topology ring_of(Communicator const& world) {
  int const rank = world.rank(), size = world.size();
  return Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}});
}

} // namespace

TEST_CASE("a fence opens access to out-neighbors and exposure to in-neighbors") {
  auto const world = testing::world();
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::mt19937 random(seed);
    auto const edges = testing::random_graph(world.size(), random).topology(world.rank());
    use_along_edges(make_graph(world, edges), edges);
  }
  use_along_edges(make_graph(world, Topology::graph({}, {})), Topology::graph({}, {}));
}

TEST_CASE("on a complete communicator a fence opens access to all ranks") {
  auto const world = testing::world();
  std::vector<edge> everybody;
  for (int rank = 0; rank < world.size(); ++rank)
    everybody.push_back({rank});
  use_along_edges(world, Topology::graph(everybody, everybody));
}

TEST_CASE("a fence on a graph waits for neighbors alone") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), partner = rank ^ 1;
  bool const has_partner = partner < size;
  auto const pairs = make_graph(world, has_partner ? Topology::graph({{partner}}, {{partner}})
                                                   : Topology::graph({}, {}));
  window<int> memory(pairs, 1);
  std::vector<int> const own{rank};
  std::vector<int> go{0};
  // Pair after pair, each after the one before has finished.
  if (rank >= 2)
    receive(world, go, rank - 2);
  memory.fence();
  if (has_partner)
    memory.put(partner, 0, own);
  memory.fence();
  CHECK(memory.local()[0] == (has_partner ? partner : 0));
  if (rank + 2 < size)
    send(world, go, rank + 2);
}

TEST_CASE("locks give access along outgoing edges, one after the other") {
  auto const world = testing::world();
  int const size = world.size();
  std::vector<edge> all;
  for (int rank = 0; rank < size; ++rank)
    all.push_back({rank});
  // All ranks, rank 0 included, access rank 0.
  auto const star =
      make_graph(world, Topology::graph(world.rank() == 0 ? all : std::vector<edge>(), {{0}}));
  window<std::int64_t> sum(star, 2);
  std::vector<std::int64_t> const one{1};
  std::vector<std::int64_t> counter{0};
  for (int round = 0; round < 20; ++round) {
    {
      auto const shared = sum.lock(0, lock_kind::shared);
      sum.accumulate(0, 0, one, std::plus<>());
    }
    auto alone = sum.lock(0);
    sum.get(0, 1, counter);
    alone.unlock();
  }
  mpi::check(MPI_Barrier(world.view().native()), "MPI_Barrier");
  auto last = sum.lock(0, lock_kind::shared);
  std::vector<std::int64_t> found{0};
  sum.get(0, 0, found);
  last.unlock();
  CHECK(found[0] == 20 * size);
}

TEST_CASE("a window refuses accesses that are not open") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  auto const ring = make_graph(world, ring_of(world));
  int const next = (rank + 1) % size, stranger = (rank + 2) % size;
  window<double> memory(ring, 3);
  std::vector<double> values(2);
  using Catch::Contains;
  CHECK_THROWS_WITH(memory.put(next, 0, values), Contains("no access is open"));
  CHECK_THROWS_WITH(memory.close_epoch(), Contains("no epoch is open"));
  memory.fence();
  CHECK_THROWS_WITH(memory.put(next, 2, values), Contains("elements 2 to 3 (expected elements of "
                                                          "0 to 2)"));
  CHECK_THROWS_WITH(memory.get(next, -1, values), Contains("elements -1 to 0"));
  CHECK_THROWS_WITH(memory.lock(next), Contains("a fence has opened an epoch"));
  auto const own = [](double a, double b) { return a - b; };
  CHECK_THROWS_WITH(memory.accumulate(next, 0, values, own), Contains("expected one of MPI's"));
  if (stranger != next) {
    CHECK_THROWS_WITH(memory.put(stranger, 0, values), Contains("no neighbor"));
    CHECK_THROWS_WITH(memory.get(stranger, 0, values), Contains("no neighbor"));
    CHECK_THROWS_WITH(memory.accumulate(stranger, 0, values, std::plus<>()),
                      Contains("no neighbor"));
  }
  memory.close_epoch();
  if (stranger != next)
    CHECK_THROWS_WITH(memory.lock(stranger), Contains("no neighbor"));
  auto const held = memory.lock(next, lock_kind::shared);
  CHECK_THROWS_WITH(memory.fence(), Contains("is locked"));
  CHECK_THROWS_WITH(memory.lock(next), Contains("locked already"));
  CHECK_THROWS_WITH(window<int>(ring, rank == 0 ? -1 : 1), Contains("-1 elements"));
}
