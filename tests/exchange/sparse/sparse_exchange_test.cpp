// SparseExchange: messages and the state machine, in whatever order calls come.
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <numeric>
#include <vector>

using namespace seam;
using namespace seam::detail;
using Catch::StartsWith;

TEST_CASE("each rank receives from all ranks, by sender") {
  auto const world = testing::world();
  SparseExchange exchange(world);
  for (int to = world.size() - 1; to >= 0; --to)
    exchange.pack(to, world.rank(), std::string(static_cast<std::size_t>(to), 'x'));
  exchange.exchange();
  std::vector<int> senders, expected(static_cast<std::size_t>(world.size()));
  std::iota(expected.begin(), expected.end(), 0);
  while (exchange.receive_message()) {
    senders.push_back(exchange.from());
    CHECK(exchange.unpack<int>() == exchange.from());
    CHECK(exchange.unpack<std::string>().size() == static_cast<std::size_t>(world.rank()));
  }
  CHECK(senders == expected);
}

TEST_CASE("a message is received piece by piece") {
  auto const world = testing::world();
  int const next = (world.rank() + 1) % world.size();
  SparseExchange exchange(world);
  for (int piece = 0; piece < 5; ++piece)
    exchange.pack(next, piece, std::vector<double>(piece, 0.5));
  exchange.exchange();
  int num_pieces = 0;
  for (; exchange.receive(); ++num_pieces) {
    CHECK(exchange.unpack<int>() == num_pieces);
    CHECK(exchange.unpack<std::vector<double>>().size() == static_cast<std::size_t>(num_pieces));
  }
  CHECK(num_pieces == 5);
}

TEST_CASE("an empty message is delivered") {
  auto const world = testing::world();
  int const rank = world.rank(), next = (rank + 1) % world.size();
  SparseExchange exchange(world);
  exchange.pack(next);
  CHECK(exchange.state() == sparse_state::pack);
  exchange.exchange();
  REQUIRE(exchange.receive());
  CHECK(exchange.from() == (rank + world.size() - 1) % world.size());
  CHECK(exchange.bytes_left() == 0);
  CHECK_FALSE(exchange.receive());
}

TEST_CASE("nothing is received where nothing was sent") {
  SparseExchange exchange(testing::world());
  exchange.exchange();
  CHECK(exchange.state() == sparse_state::unpack);
  CHECK_FALSE(exchange.receive());
  CHECK(exchange.state() == sparse_state::idle);
}

TEST_CASE("a conversation: answers are packed while questions are unpacked") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  SparseExchange exchange(world);
  for (int to = 0; to < size; to += 2)
    exchange.pack(to, 10 * rank + to);
  for (int turn = 1; turn <= 20; ++turn) {
    exchange.exchange();
    int num_answers = 0;
    while (exchange.receive()) {
      auto const value = exchange.unpack<int>();
      exchange.pack(exchange.from(), value + 1000);
      CHECK(exchange.state() == sparse_state::bothpack);
      bool const is_question = turn % 2 == 1;
      int const asker = is_question ? exchange.from() : rank;
      int const asked = is_question ? rank : exchange.from();
      CHECK(value == 10 * asker + asked + 1000 * (turn - 1));
      ++num_answers;
    }
    CHECK(num_answers == (turn % 2 == 0 ? (size + 1) / 2 : rank % 2 == 0 ? size : 0));
    CHECK(exchange.state() == (num_answers > 0 ? sparse_state::pack : sparse_state::idle));
  }
}

TEST_CASE("two exchanges in turns do not mix") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), next = (rank + 1) % size;
  SparseExchange one(world), other(world);
  for (int turn = 0; turn < 100; ++turn) {
    one.pack(next, turn);
    other.pack(rank, -turn);
    other.pack(next, -turn);
    one.exchange();
    other.exchange();
    while (other.receive())
      CHECK(other.unpack<int>() == -turn);
    while (one.receive())
      CHECK(one.unpack<int>() == turn);
  }
}

TEST_CASE("many exchanges at once, and one after the other") {
  auto const world = testing::world();
  int const next = (world.rank() + 1) % world.size();
  std::vector<SparseExchange> all;
  for (int e = 0; e < 200; ++e)
    all.emplace_back(world);
  for (int e = 0; e < 200; ++e)
    all[e].pack(next, e);
  for (SparseExchange& exchange : all)
    exchange.exchange();
  for (int e = 0; e < 200; ++e) {
    REQUIRE(all[e].receive());
    CHECK(all[e].unpack<int>() == e);
  }
}

TEST_CASE("user's messages on the same communicator are left alone") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), next = (rank + 1) % size;
  int const own = 77 + rank;
  int received = 0;
  MPI_Request sending = MPI_REQUEST_NULL;
  mpi::check(MPI_Isend(&own, 1, MPI_INT, next, 0, world.view().native(), &sending), "MPI_Isend");
  SparseExchange exchange(world);
  exchange.pack(next, 1.5);
  exchange.exchange();
  REQUIRE(exchange.receive());
  CHECK(exchange.unpack<double>() == 1.5);
  mpi::check(MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world.view().native(),
                      MPI_STATUS_IGNORE),
             "MPI_Recv");
  mpi::check(MPI_Wait(&sending, MPI_STATUS_IGNORE), "MPI_Wait");
  CHECK(received == 77 + (rank + size - 1) % size);
}

TEST_CASE("calls in state UNINIT are refused") {
  SparseExchange nowhere;
  CHECK(nowhere.state() == sparse_state::uninit);
  CHECK_THROWS_WITH(nowhere.pack(0, 1), StartsWith("sparse exchange: pack in state UNINIT "
                                                   "(expected a communicator)"));
  CHECK_THROWS_WITH(nowhere.exchange(), StartsWith("sparse exchange: exchange in state UNINIT "
                                                   "(expected IDLE or PACK: all messages of the "
                                                   "last exchange received)"));
  CHECK_THROWS_WITH(nowhere.receive(), StartsWith("sparse exchange: receive in state UNINIT "
                                                  "(expected UNPACK or BOTHPACK: an exchange "
                                                  "before)"));
  CHECK_THROWS_WITH(nowhere.receive_message(),
                    StartsWith("sparse exchange: receive_message in state UNINIT"));
  CHECK_THROWS_WITH(nowhere.unpack<int>(), StartsWith("sparse exchange: unpack in state UNINIT"));
  CHECK_THROWS_WITH(nowhere.from(), StartsWith("sparse exchange: from in state UNINIT"));
  CHECK_THROWS_WITH(nowhere.close(), StartsWith("sparse exchange: close in state UNINIT "
                                                "(expected IDLE: nothing packed and all "
                                                "received)"));
}

TEST_CASE("calls in the wrong state are refused and change nothing") {
  auto const world = testing::world();
  int const size = world.size(), next = (world.rank() + 1) % size;
  SparseExchange exchange(world);
  CHECK_THROWS_WITH(exchange.receive(), StartsWith("sparse exchange: receive in state IDLE "
                                                   "(expected UNPACK or BOTHPACK: an exchange "
                                                   "before)"));
  CHECK_THROWS_WITH(exchange.unpack<int>(), StartsWith("sparse exchange: unpack in state IDLE"));
  exchange.pack(next, 1, 2);
  CHECK_THROWS_WITH(exchange.receive_message(),
                    StartsWith("sparse exchange: receive_message in state PACK"));
  CHECK_THROWS_WITH(exchange.close(), StartsWith("sparse exchange: close in state PACK"));
  exchange.exchange();
  CHECK_THROWS_WITH(exchange.exchange(), StartsWith("sparse exchange: exchange in state UNPACK "
                                                    "(expected IDLE or PACK"));
  CHECK_THROWS_WITH(exchange.unpack<int>(),
                    StartsWith("sparse exchange: unpack in state UNPACK before any message "
                               "(expected receive before)"));
  CHECK_THROWS_WITH(exchange.from(), StartsWith("sparse exchange: from in state UNPACK before"));
  REQUIRE(exchange.receive());
  exchange.pack(next, 3);
  CHECK_THROWS_WITH(exchange.exchange(), StartsWith("sparse exchange: exchange in state BOTHPACK"));
  CHECK(exchange.unpack<int>() == 1);
  CHECK(exchange.unpack<int>() == 2);
  CHECK_FALSE(exchange.receive());
  exchange.exchange();
  REQUIRE(exchange.receive());
  CHECK(exchange.unpack<int>() == 3);
  CHECK_FALSE(exchange.receive());
  exchange.close();
  CHECK(exchange.state() == sparse_state::uninit);
}

TEST_CASE("a destination that is no rank is refused") {
  auto const world = testing::world();
  SparseExchange exchange(world);
  for (int to : {-1, MPI_PROC_NULL, world.size(), world.size() + 5})
    CHECK_THROWS_WITH(exchange.pack(to, 1.0),
                      StartsWith(fmt::format("sparse exchange: pack for destination {} in state "
                                             "IDLE (expected a rank, 0 to {})",
                                             to, world.size() - 1)));
  CHECK(exchange.state() == sparse_state::idle);
}

TEST_CASE("unpacking past the end and leaving bytes behind are refused") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  SparseExchange exchange(world);
  exchange.pack(next, std::int32_t{1}, std::int32_t{2});
  exchange.exchange();
  REQUIRE(exchange.receive());
  CHECK_THROWS_WITH(exchange.receive(),
                    StartsWith(fmt::format("sparse exchange: receive in state UNPACK leaves behind "
                                           "8 bytes of the message from rank {} (expected some of "
                                           "them to be unpacked since the last receive)",
                                           before)));
  CHECK(exchange.unpack<std::int32_t>() == 1);
  CHECK_THROWS_WITH(exchange.receive_message(),
                    StartsWith(fmt::format("sparse exchange: receive_message in state UNPACK "
                                           "leaves behind 4 bytes of the message from rank {} "
                                           "(expected all of them to be unpacked)",
                                           before)));
  CHECK_THROWS_WITH(
      exchange.unpack<double>(),
      StartsWith(fmt::format("sparse exchange: in state UNPACK: unpack: 8 bytes of the message "
                             "from rank {} (expected at most the 4 left of its 8)",
                             before)));
  CHECK(exchange.unpack<std::int32_t>() == 2);
  CHECK_FALSE(exchange.receive_message());
}

TEST_CASE("in checked mode no rank waits for a rank that is refused") {
  checks_in_scope const on(true);
  auto const world = testing::world();
  SparseExchange exchange(world);
  exchange.pack(world.size() - 1, 1);
  exchange.exchange();
  if (world.rank() != world.size() - 1)
    CHECK_FALSE(exchange.receive());
  CHECK_THROWS_WITH(
      exchange.exchange(),
      Catch::Contains("exchange in state UNPACK") &&
          Catch::EndsWith(fmt::format("first on rank {} of {}", world.size() - 1, world.size())));
  while (exchange.state() == sparse_state::unpack && exchange.receive())
    CHECK(exchange.unpack<int>() == 1);
  exchange.exchange();
  CHECK_FALSE(exchange.receive());

  if (world.size() > 1) {
    auto const own = world.rank() == 1 ? sparse_algorithm::counts : sparse_algorithm::consensus;
    CHECK_THROWS_WITH(SparseExchange(world, {.algorithm = own}),
                      StartsWith("sparse exchange: algorithm counts (expected the same on all "
                                 "ranks: consensus as on rank 0)"));
  }
}

TEST_CASE("an exchange that has been moved from belongs to no communicator") {
  SparseExchange one(testing::world());
  SparseExchange const other = std::move(one);
  CHECK(other.state() == sparse_state::idle);
  CHECK_THROWS_WITH(one.exchange(), // NOLINT(bugprone-use-after-move)
                    StartsWith("sparse exchange: exchange in state UNINIT"));
}

TEST_CASE("a bipartite communicator has no destinations on its own side") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  auto const bipartite = *world.two_sides(world.rank() % 2);
  CHECK_THROWS_WITH(SparseExchange(bipartite),
                    StartsWith("sparse exchange: has no meaning on a bipartite communicator"));
}
