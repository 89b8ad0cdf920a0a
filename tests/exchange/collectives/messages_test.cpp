// Collectives on graphs send as few messages as their definition allows, and only to neighbors.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <set>

using namespace seam;
using namespace seam::detail;
using testing::calls_of;
using testing::random_graph;

namespace {

/// The processes to which `rank` has an edge, without itself.
long num_destinations(random_graph const& graph, int rank) {
  std::set<int> ranks;
  for (edge const& destination : graph.destinations(rank))
    ranks.insert(destination.rank);
  ranks.erase(rank);
  return std::ssize(ranks);
}

bool leads_to(random_graph const& graph, int rank, int root) {
  return rank != root && std::ranges::count(graph.destinations(rank), root, &edge::rank) > 0;
}

/// Runs `call` in all forms; each sends `expected` messages, and only to neighbors.
void expect_messages(Communicator const& over, collective const& call, long expected) {
  checks_in_scope const unchecked(false); // checks send messages of their own
  shared_memory_in_scope const off(false);
  operation kept = prepare(over, call);
  CHECK(kept.num_messages() == expected);
  auto const check = [&](testing::mpi_calls const& found) {
    CHECK(found.sends == expected);
    CHECK(found.collectives == 0);
  };
  check(calls_of([&] { kept.run(); }));
  check(calls_of([&] { run(over, call); }));
  check(calls_of([&] { start(over, call).wait(); }));
}

} // namespace

TEST_CASE("one short message goes to each process that is concerned, whatever the edges") {
  auto const world = testing::world();
  std::mt19937 random(17);
  for (int round = 0; round < 10; ++round) {
    random_graph const graph(world.size(), random);
    int const rank = world.rank(), root = round % world.size();
    Communicator const over = make_graph(world, graph.topology(rank));
    long const neighbors = num_destinations(graph, rank);
    long const from_root = rank == root ? neighbors : 0, to_root = leads_to(graph, rank, root);
    std::size_t const out = graph.destinations(rank).size(), in = graph.sources(rank).size();
    std::vector<int> own(3, rank), sent(3 * out, rank), one(3), received(3 * in);

    expect_messages(over, barrier(), neighbors);
    expect_messages(over, alltoall(sent, received), neighbors);
    expect_messages(over, allgather(own, received), neighbors);
    expect_messages(over, allreduce(own, one, std::plus<>()), neighbors);
    expect_messages(over, bcast(own, root), from_root);
    expect_messages(over, scatter(sent, one, root), from_root);
    expect_messages(over, gather(own, received, root), to_root);
    expect_messages(over, seam::reduce(own, one, std::plus<>(), root), to_root);
  }
}

TEST_CASE("a large block travels by itself, and once where several edges want the same") {
  auto const world = testing::world();
  int const rank = world.rank(), next = (rank + 1) % world.size(),
            before = (rank + world.size() - 1) % world.size();
  Communicator const over =
      make_graph(world, Topology::graph({{before}, {before}, {before}}, {{next}, {next}, {next}}));
  long const others = world.size() > 1 ? 1 : 0;
  std::vector<double> own(10000, rank), sent(30000, rank), received(30000), one(10000);
  expect_messages(over, alltoall(sent, received), 3 * others);
  expect_messages(over, allreduce(own, one, std::plus<>()), others);
  expect_messages(over, allgather(own, received), others);
  expect_messages(over, allgatherv(own, received, {10000, 10000, 10000}), others);
  if (world.size() > 1) {
    expect_messages(over, gather(own, received, 0), next == 0 ? 1 : 0);
    expect_messages(over, bcast(own, 0), rank == 0 ? 1 : 0);
  }
}
