// Messages of the user: they travel along edges, and are refused where there is none.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <support/catch.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// A graph from each rank to the next.
Topology ring_of(Communicator const& world) {
  int const rank = world.rank(), size = world.size();
  return Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}});
}

} // namespace

TEST_CASE("messages travel along the edges of a graph") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  auto const ring = make_graph(world, ring_of(world));
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::vector<int> const own{rank, -rank};
  std::vector<int> received(5, 7);
  auto flying = start_send(ring, own, next, 4);
  auto const got = receive(ring, received, before, MPI_ANY_TAG);
  flying.wait();
  CHECK(got.source == before);
  CHECK(got.tag == 4);
  CHECK(got.bytes == 2 * sizeof(int));
  CHECK(received == std::vector<int>{before, -before, 7, 7, 7});

  auto arriving = start_receive(ring, received, MPI_ANY_SOURCE, 5);
  send(ring, own, next, 5);
  arriving.wait();
  CHECK(received[1] == -before);
}

TEST_CASE("prepared messages carry the values of each start") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  auto const ring = make_graph(world, ring_of(world));
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  std::vector<int> own(5), received(5, -1);
  auto sending = prepare_send(ring, {own.data(), 1, every_other}, next, 3);
  auto receiving = prepare_receive(ring, {received.data(), 1, every_other}, before, 3);
  for (int step = 0; step < 20; ++step) {
    for (int k = 0; k < 5; ++k)
      own[k] = 100 * rank + 10 * step + k;
    auto arriving = receiving.start();
    auto leaving = sending.start();
    arriving.wait();
    leaving.wait();
    int const first = 100 * before + 10 * step;
    CHECK(received == std::vector<int>{first, -1, first + 2, -1, first + 4});
  }
  MPI_Type_free(&every_other);
}

TEST_CASE("a rank that is no neighbor can be reached on the base alone") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size < 3)
    return;
  auto const ring = make_graph(world, ring_of(world));
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::vector<int> const own{rank};
  std::vector<int> received{-1};
  CHECK_THROWS_WITH(send(ring, own, before),
                    Catch::Contains(fmt::format("send to rank {}: no neighbor of rank {} on this "
                                                "graph (expected {}; base() reaches all ranks)",
                                                before, rank, next)));
  CHECK_THROWS_AS(receive(ring, received, next), usage_error);
  CHECK_THROWS_AS(start_send(ring, own, rank), usage_error);
  CHECK_THROWS_AS(start_receive(ring, received, rank), usage_error);
  CHECK_THROWS_WITH(send(world, own, size), Catch::Contains("(expected 0 to"));

  auto const everybody = ring.base();
  auto flying = start_send(everybody, own, before);
  receive(everybody, received, next);
  CHECK(received[0] == next);
  flying.wait();
  send(ring, own, MPI_PROC_NULL);
  CHECK(receive(ring, received, MPI_PROC_NULL).bytes == 0);
}

TEST_CASE("the error line of a rank without neighbors says that it has none") {
  auto const world = testing::world();
  auto const nothing = make_graph(world, Topology::graph({}, {}));
  std::vector<int> const own{1};
  CHECK_THROWS_WITH(send(nothing, own, 0), Catch::Contains("expected none"));
}

TEST_CASE("each edge of a random graph takes its message") {
  auto const world = testing::world();
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::mt19937 random(seed);
    auto const graph =
        make_graph(world, testing::random_graph(world.size(), random).topology(world.rank()));
    auto const sources = graph.topology().sources(), destinations = graph.topology().destinations();
    std::vector<std::vector<int>> out, in;
    std::vector<in_flight> flying;
    for (edge const& source : sources)
      in.push_back({source.rank, -1});
    for (edge const& destination : destinations)
      out.push_back({graph.rank(), destination.rank});
    for (std::size_t e = 0; e < in.size(); ++e)
      flying.push_back(start_receive(graph, in[e], sources[e].rank));
    for (std::size_t e = 0; e < out.size(); ++e)
      flying.push_back(start_send(graph, out[e], destinations[e].rank));
    for (in_flight& message : flying)
      message.wait();
    for (std::size_t e = 0; e < in.size(); ++e)
      CHECK(in[e] == std::vector<int>{sources[e].rank, graph.rank()});
  }
}
