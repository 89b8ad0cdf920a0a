// All algorithms of sparse exchange deliver the same messages, which all ranks know beforehand.
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/algorithms/two_level.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/catch.hpp>
#include <support/random_messages.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

using namespace seam;
using namespace seam::detail;
using testing::random_messages;

namespace {

/// Sends `all` and checks each message that arrives, by sender.
void exchange_and_compare(SparseExchange& exchange, Communicator const& world,
                          random_messages const& all) {
  int const rank = world.rank(), size = world.size();
  for (int to = size - 1; to >= 0; --to)
    if (all.has(rank, to))
      exchange.pack_bytes(to, all.bytes(rank, to));
  exchange.exchange();
  for (int from = 0; from < size; ++from)
    if (all.has(from, rank)) {
      REQUIRE(exchange.receive_message());
      CHECK(exchange.from() == from);
      CHECK(std::ranges::equal(exchange.unpack_bytes(exchange.bytes_left()),
                               all.bytes(from, rank)));
    }
  CHECK_FALSE(exchange.receive_message());
}

} // namespace

TEST_CASE("random messages arrive, whatever the algorithm") {
  auto const world = testing::world();
  for (sparse_algorithm const algorithm : sparse_algorithms()) {
    INFO(name_of(algorithm));
    SparseExchange exchange(world, {.algorithm = algorithm});
    for (unsigned turn = 0; turn < 40; ++turn)
      exchange_and_compare(exchange, world,
                           random_messages(world.size(), turn, turn % 4 == 3 ? 0.9 : 0.3));
  }
}

TEST_CASE("a pattern that repeats, then changes, arrives, whatever the algorithm") {
  auto const world = testing::world();
  for (sparse_algorithm const algorithm : sparse_algorithms()) {
    INFO(name_of(algorithm));
    SparseExchange exchange(world, {.algorithm = algorithm});
    for (unsigned pattern = 0; pattern < 4; ++pattern)
      for (int turn = 0; turn < 10; ++turn)
        exchange_and_compare(exchange, world, random_messages(world.size(), pattern, 0.4));
  }
}

TEST_CASE("algorithms take turns on one communicator") {
  auto const world = testing::world();
  std::vector<SparseExchange> all;
  for (sparse_algorithm const algorithm : sparse_algorithms())
    all.emplace_back(world, sparse_options{.algorithm = algorithm});
  for (unsigned turn = 0; turn < 20; ++turn)
    for (SparseExchange& exchange : all)
      exchange_and_compare(exchange, world, random_messages(world.size(), turn / 3, 0.3));
}

TEST_CASE("ten thousand exchanges back to back do not mix") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  for (sparse_algorithm const algorithm : sparse_algorithms()) {
    INFO(name_of(algorithm));
    SparseExchange exchange(world, {.algorithm = algorithm});
    int const num_turns = size <= 2 ? 10'000 : 10'000 / size;
    int wrong = 0;
    for (int turn = 0; turn < num_turns; ++turn) {
      int const distance = turn / 100 % size;
      exchange.pack((rank + distance) % size, turn, rank);
      exchange.exchange();
      int num_received = 0;
      for (; exchange.receive(); ++num_received) {
        wrong += exchange.unpack<int>() != turn;
        wrong += exchange.unpack<int>() != (rank + size - distance) % size;
      }
      wrong += num_received != 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("all ranks send to one, and one to all") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  for (sparse_algorithm const algorithm : sparse_algorithms()) {
    INFO(name_of(algorithm));
    SparseExchange exchange(world, {.algorithm = algorithm});
    for (int turn = 0; turn < 30; ++turn) {
      exchange.pack(turn % size, rank);
      exchange.exchange();
      int next = 0;
      for (; exchange.receive(); ++next)
        CHECK(exchange.unpack<int>() == next);
      CHECK(next == (rank == turn % size ? size : 0));
      if (rank == turn % size)
        for (int to = 0; to < size; ++to)
          exchange.pack(to, turn);
      exchange.exchange();
      REQUIRE(exchange.receive());
      CHECK(exchange.unpack<int>() == turn);
      CHECK(exchange.from() == turn % size);
      CHECK_FALSE(exchange.receive());
    }
  }
}

TEST_CASE("every algorithm has a name of its own, and a number without an algorithm is refused") {
  std::set<std::string_view> names;
  for (sparse_algorithm const algorithm : sparse_algorithms())
    CHECK(names.insert(name_of(algorithm)).second);
  auto const none = static_cast<sparse_algorithm>(sparse_algorithms().size());
  auto const is_named =
      Catch::StartsWith("sparse exchange: algorithm 5 (expected one of automatic, "
                        "consensus, counts, two_level, cached)");
  CHECK_THROWS_WITH(name_of(none), is_named);
  CHECK_THROWS_WITH(SparseExchange(testing::world(), {.algorithm = none}), is_named);
}

TEST_CASE("all messages arrive in whatever order") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  for (sparse_algorithm const algorithm : sparse_algorithms()) {
    SparseExchange exchange(world, {.algorithm = algorithm, .order = receive_order::by_arrival});
    for (int to = 0; to < size; ++to)
      exchange.pack(to, rank);
    exchange.exchange();
    std::vector<int> times(size);
    while (exchange.receive()) {
      CHECK(exchange.unpack<int>() == exchange.from());
      ++times[exchange.from()];
    }
    CHECK(std::ranges::all_of(times, [](int n) { return n == 1; }));
  }
}

TEST_CASE("two levels deliver among nodes of any number of processes") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  auto const own = mpi::dup(world);
  int const before = node_size();
  for (int ranks = 1; ranks <= size; ++ranks) {
    set_node_size(ranks);
    detail::two_level way(own);
    for (unsigned turn = 0; turn < 20; ++turn) {
      random_messages const all(size, turn, 0.4);
      detail::outbox out;
      detail::inbox in;
      for (int to = 0; to < size; ++to)
        if (all.has(rank, to))
          out.to(to).pack_bytes(all.bytes(rank, to));
      detail::deliver(way, rank, out, in);
      in.sort_by_source();
      for (int from = 0; from < size; ++from)
        if (all.has(from, rank)) {
          REQUIRE(in.next());
          CHECK(in.current()->source() == from);
          CHECK(std::ranges::equal(in.current()->bytes(), all.bytes(from, rank)));
        }
      CHECK_FALSE(in.next());
    }
  }
  set_node_size(before);
}
