// The engine: gates hold messages back, rounds follow each other, misuse is named.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/alltoallw.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <support/catch.hpp>
#include <support/failing_reduction.hpp>
#include <support/world.hpp>

#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

block block_of(double& value) {
  return {.first = reinterpret_cast<std::byte*>(&value), .row_bytes = sizeof(double)};
}

/// Each rank sends `out[k]` to the rank k + 1 further on and gets `in[k]` from the rank k + 1
/// before.
struct ring {
  ring(int rank, int size, int num_edges)
      : out(std::size_t(num_edges)), in(std::size_t(num_edges)) {
    std::vector<edge> sources, destinations;
    buffers.destinations2sources = buffers.sources2targets = {0};
    for (int k = 0; k < num_edges; ++k) {
      sources.push_back({(rank + (size - 1) * (k + 1)) % size});
      destinations.push_back({(rank + k + 1) % size});
      buffers.sources.push_back(block_of(out[std::size_t(k)]));
      buffers.targets.push_back({block_of(in[std::size_t(k)])});
      buffers.destinations2sources.push_back(k + 1);
      buffers.sources2targets.push_back(k + 1);
      buffers.gates.push_back(k);
    }
    topology = Topology::graph(sources, destinations);
  }

  std::vector<double> out, in;
  Topology topology = Topology::complete();
  alltoallw_buffers buffers;
};

} // namespace

TEST_CASE("a message leaves when its gates are open, in any order and from any thread") {
  auto const world = testing::world();
  constexpr int num_edges = 5;
  ring edges(world.rank(), world.size(), num_edges);
  operation exchange(world,
                     make_alltoallw(world.rank(), world.size(), edges.topology, edges.buffers));
  for (int round = 0; round < 10; ++round) {
    std::fill(edges.in.begin(), edges.in.end(), -1);
    auto flying = exchange.start_gated();
    CHECK_FALSE(flying.test());
    std::vector<std::jthread> threads;
    for (int k = num_edges - 1; k >= 0; --k)
      threads.emplace_back([&, k] {
        edges.out[std::size_t(k)] = 100 * world.rank() + k + round;
        flying.open(k);
      });
    threads.clear();
    flying.wait();
    for (int k = 0; k < num_edges; ++k)
      CHECK(edges.in[std::size_t(k)] ==
            100 * edges.topology.sources()[std::size_t(k)].rank + k + round);
  }
}

TEST_CASE("a gate that stays closed holds back its own peer's message alone") {
  auto const world = testing::world();
  if (world.size() < 3)
    return;
  ring edges(world.rank(), world.size(), 2);
  operation exchange(world,
                     make_alltoallw(world.rank(), world.size(), edges.topology, edges.buffers));
  edges.in = {-1, -1};
  edges.out = {1.0 + world.rank(), 2.0};
  auto flying = exchange.start_gated();
  flying.open(1);
  while (edges.in[1] == -1)
    CHECK_FALSE(flying.test());
  CHECK(edges.in[0] == -1);
  mpi::barrier(world);
  flying.open(0);
  flying.wait();
  CHECK(edges.in[0] == 1.0 + edges.topology.sources()[0].rank);
}

TEST_CASE("a round begins when the data of the round before is in place") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size == 1)
    return;
  double value = rank, next = -1, after = -1;
  schedule steps;
  steps.num_rounds = 2;
  steps.sources = {block_of(value), block_of(next)};
  steps.targets = {{block_of(next)}, {block_of(after)}};
  steps.gates = {0};
  constexpr std::int64_t bytes = sizeof(double);
  for (int round = 0; round < 2; ++round) {
    range const gates{0, round == 0 ? 1 : 0};
    steps.sends.push_back({round,
                           (rank + 1) % size,
                           gates,
                           {round, round + 1},
                           {steps.staging_bytes, bytes, nullptr}});
    steps.receives.push_back({round,
                              (rank + size - 1) % size,
                              {round, round + 1},
                              {steps.staging_bytes + bytes, bytes, nullptr}});
    steps.staging_bytes += 2 * bytes;
  }
  REQUIRE(steps.is_valid());
  operation twice_round(world, steps);
  for (int epoch = 0; epoch < 5; ++epoch) {
    value = rank + 10 * epoch;
    twice_round.run();
    CHECK(next == (rank + size - 1) % size + 10 * epoch);
    CHECK(after == (rank + 2 * size - 2) % size + 10 * epoch);
  }
}

TEST_CASE("misuse is named") {
  auto const world = testing::world();
  ring edges(world.rank(), world.size(), 1);
  operation exchange(world,
                     make_alltoallw(world.rank(), world.size(), edges.topology, edges.buffers));
  auto flying = exchange.start_gated();
  CHECK_THROWS_WITH(exchange.start(), Catch::Contains("in flight already"));
  CHECK_THROWS_WITH(flying.open(1), Catch::Contains("gate 1 does not exist (expected 0 to 0)"));
  flying.open(0);
  flying.wait();
  CHECK_THROWS_WITH(flying.open(0), Catch::Contains("not in flight"));
  auto open = exchange.start();
  CHECK_THROWS_WITH(open.open(0), Catch::Contains("not in flight with gates"));
  open.wait();
}

TEST_CASE("an error is thrown by every further test, on any thread, and nothing is tried again") {
  auto const world = testing::world();
  testing::failing_reduction failing;
  std::vector<std::int64_t> in(3, 1), out(3, 2);
  engine reduction(failing.plan(in, out), [&](schedule const& steps, std::byte* staging) {
    return make_message_transport(world.context(), 0, steps, staging);
  });
  reduction.start();
  std::string said;
  std::jthread([&] {
    try {
      reduction.test();
    } catch (std::exception const& problem) {
      said = problem.what();
    }
  }).join();
  CHECK(said == "values that cannot be added");
  CHECK_THROWS_WITH(reduction.test(), "values that cannot be added");
  CHECK_THROWS_WITH(reduction.wait(), "values that cannot be added");
  CHECK(failing.trials == 1);
}

TEST_CASE("a schedule whose steps do not fit together is not valid") {
  schedule steps;
  CHECK(steps.is_valid());
  steps.gates = {1};
  CHECK_FALSE(steps.is_valid());
  steps.num_gates = 2;
  CHECK(steps.is_valid());
  steps.sends.push_back({1, 0, {}, {}, {}});
  CHECK_FALSE(steps.is_valid());
  steps.num_rounds = 2;
  CHECK(steps.is_valid());
  steps.sends[0].wire = {0, 8, nullptr};
  CHECK_FALSE(steps.is_valid());
}

TEST_CASE(
    "operations in flight at the same time do not mix, whatever order they are waited for in") {
  auto const world = testing::world();
  ring a(world.rank(), world.size(), 3), b(world.rank(), world.size(), 3);
  operation first(world, make_alltoallw(world.rank(), world.size(), a.topology, a.buffers));
  operation second(world, make_alltoallw(world.rank(), world.size(), b.topology, b.buffers));
  a.out = {1, 2, 3};
  b.out = {4, 5, 6};
  auto flying_first = first.start();
  auto flying_second = second.start();
  flying_second.wait();
  flying_first.wait();
  CHECK(a.in == std::vector<double>{1, 2, 3});
  CHECK(b.in == std::vector<double>{4, 5, 6});
}
