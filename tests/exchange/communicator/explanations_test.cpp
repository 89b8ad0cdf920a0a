// Explanations: their texts, their listeners, and how often they come.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

/// The explanations that come as long as it lives.
class listening {
public:
  listening() {
    explain_to([this](std::string const& text) { heard.push_back(text); });
  }
  listening(listening const&) = delete;
  listening& operator=(listening const&) = delete;
  ~listening() { explain_to({}); }

  std::vector<std::string> heard;
};

} // namespace

TEST_CASE("rank 0 passes each text once, and only to listeners") {
  auto const world = testing::world();
  auto const tell = [&](std::string const& text) {
    explain(world.context(), [&] { return text; });
  };
  CHECK_FALSE(explanations_are_on());
  tell("unheard");
  {
    listening const ear;
    CHECK(explanations_are_on());
    tell("a");
    tell("b");
    tell("a");
    CHECK(ear.heard ==
          (world.rank() == 0 ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{}));
  }
  listening const ear;
  tell("a");
  CHECK(ear.heard.size() == (world.rank() == 0 ? 1U : 0U));
}

TEST_CASE("a persistent operation explains its messages: bytes, destinations and transport") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  auto const ring =
      make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
  std::vector<int> const send(5, rank);
  std::vector<int> receive(5);
  listening const ear;
  auto const kept = prepare(ring, alltoall(send, receive)),
             again = prepare(ring, alltoall(send, receive));
  REQUIRE(ear.heard.size() == (rank == 0 ? 1U : 0U));
  if (rank != 0)
    return;
  CHECK_THAT(ear.heard[0], Contains(fmt::format("exchange among {} rank", size)) &&
                               Contains(fmt::format("sends {} bytes to {} other", size > 1 ? 20 : 0,
                                                    size > 1 ? 1 : 0)));
  if (size > 1)
    CHECK_THAT(ear.heard[0], Contains("rank 1: 20 bytes, 1 message by "));
}

TEST_CASE("the first call of each collective on a graph is explained, later ones are not") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  auto const ring =
      make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
  std::vector<int> const send(5, rank);
  std::vector<int> receive(5);
  listening const ear;
  run(ring, alltoall(send, receive));
  run(ring, alltoall(std::span(send).first(2), std::span(receive).first(2)));
  start(ring, alltoall(send, receive)).wait();
  run(ring, allgather(send, receive));
  REQUIRE(ear.heard.size() == (rank == 0 ? 2U : 0U));
  if (rank != 0)
    return;
  CHECK_THAT(ear.heard[0], Contains("first alltoall among "));
  CHECK_THAT(ear.heard[1], Contains("first allgather among "));
  if (size > 1)
    CHECK_THAT(ear.heard[0], Contains("rank 1: 20 bytes, 1 message by MPI"));
}

TEST_CASE("partitioned operations explain their numbers of partitions and their transports") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank(), next = (rank + 1) % size,
            before = (rank + size - 1) % size;
  std::vector<int> const send(8, rank);
  std::vector<int> receive(8);
  listening const ear;
  {
    auto sent = psend_init(world, in_partitions(send, 4), next, 0);
    auto received = precv_init(world, in_partitions(receive, 2), before, 0);
  }
  auto const ring = make_graph(world, Topology::graph({{before}}, {{next}}));
  auto const all = palltoall_init(ring, in_partitions(send, 4), in_partitions(receive, 4));
  auto const sum =
      pallreduce_init(ring, in_partitions(send, 4), in_partitions(receive, 4), MPI_SUM);
  if (size == 1 || rank != 0)
    return;
  REQUIRE(ear.heard.size() == 3);
  CHECK_THAT(ear.heard[0], Contains(fmt::format("psend_init among {} ranks", size)) &&
                               Contains("rank 1: 32 bytes, 4 partitions by "));
  CHECK_THAT(ear.heard[1], Contains("palltoall_init among ") &&
                               Contains("sends 32 bytes to 1 other") &&
                               Contains("rank 1: 32 bytes, 4 partitions by "));
  CHECK_THAT(ear.heard[2], Contains("partitioned reduction among ") &&
                               Contains("rank 1: 32 bytes, 4 messages by "));
}

TEST_CASE(
    "a sparse exchange explains its algorithm, once it has one, and the messages of that time") {
  auto const world = testing::world();
  int const next = (world.rank() + 1) % world.size();
  listening const ear;
  SparseExchange exchange(world, {.algorithm = sparse_algorithm::consensus});
  for (int round = 0; round < 2; ++round) {
    exchange.pack(next, 1.5);
    exchange.exchange();
    while (exchange.receive())
      CHECK(exchange.unpack<double>() == 1.5);
  }
  REQUIRE(ear.heard.size() == (world.rank() == 0 ? 1U : 0U));
  if (world.rank() == 0 && world.size() > 1)
    CHECK_THAT(ear.heard[0], Contains("sparse exchange (consensus) among ") &&
                                 Contains("rank 1: 8 bytes, in one piece"));
}
