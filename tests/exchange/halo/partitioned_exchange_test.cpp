// Partitioned exchanges on a ring: each message leaves with the last of its pieces, by any thread,
// and arrives by itself.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/partitioned_exchange.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

namespace {

/// For each own element the destinations that it is sent to.
std::array<std::vector<int>, 3> const elements2destinations{{{1}, {0, 1}, {0}}};

region two_from(std::int64_t first) { return {.offset = first, .extent = {1, 1, 2}}; }

/// Three elements for each rank, and copies of two elements of the rank before and the rank behind:
///     0 1 | 2 3 4 | 5 6      destination 0 is the next rank, source 0 the rank before
class ring {
public:
  explicit ring(Communicator const& over)
      : next_((over.rank() + 1) % over.size()),
        before_((over.rank() + over.size() - 1) % over.size()) {
    fill(over.rank(), 0);
  }

  Halo make_whole(Communicator const& over) {
    std::vector const sends{two_from(3), two_from(2)}, receives{two_from(0), two_from(5)};
    plan const along(Topology::graph({{before_}, {next_}}, {{next_}, {before_}}),
                     regions_of_edges(sends), regions_of_edges(receives));
    auto const fields = [this] {
      auto array = exchanged_array::of(values.data(), reduction::replace, "u");
      array.data_now = [this] { return reinterpret_cast<std::byte const*>(values.data()); };
      array.moved = "field 'u' has moved";
      return std::vector{array};
    };
    return make_halo("make_halo", over, {&along, 1}, fields, gating::by_edge);
  }

  void fill(int rank, int round) {
    std::ranges::fill(values, -1.0);
    for (std::size_t k = 0; k < 3; ++k)
      values[2 + k] = value(rank, round, k);
  }

  bool has_before(int round) const {
    return values[0] == value(before_, round, 1) && values[1] == value(before_, round, 2);
  }
  bool has_next(int round) const {
    return values[5] == value(next_, round, 0) && values[6] == value(next_, round, 1);
  }

  std::vector<double> values = std::vector<double>(7);

private:
  static double value(int rank, int round, std::size_t k) {
    return 100.0 * round + 10.0 * rank + static_cast<double>(k);
  }

  int next_, before_;
};

bool make_ready(partitioned_exchange& exchange, std::size_t element) {
  return exchange.mark({.offset = static_cast<std::int64_t>(element)}) &&
         exchange.ready_along(elements2destinations[element]);
}

} // namespace

TEST_CASE("pieces made ready in any order by any thread leave, as by a whole halo") {
  auto const world = testing::world();
  ring own(world);
  partitioned_exchange exchange(own.make_whole(world), {2, 2}, 3);
  std::array<std::size_t, 3> order{0, 1, 2};
  std::mt19937 random(static_cast<unsigned>(world.rank()));
  for (int round = 0; round < 20; ++round) {
    own.fill(world.rank(), round);
    std::ranges::shuffle(order, random);
    if (round % 4 == 3) {
      exchange.start_whole();
    } else {
      exchange.start();
      bool is_first = false;
      std::jthread other([&] { is_first = make_ready(exchange, order[0]); });
      CHECK(make_ready(exchange, order[1]));
      CHECK(make_ready(exchange, order[2]));
      other.join();
      CHECK(is_first);
    }
    exchange.wait_along(std::array{1, 0});
    CHECK(exchange.arrived_along(std::array{0, 1}));
    CHECK((own.has_before(round) && own.has_next(round)));
    exchange.wait();
  }
}

TEST_CASE("what is ready for one destination arrives there while the other waits") {
  auto const world = testing::world();
  ring own(world);
  partitioned_exchange exchange(own.make_whole(world), {2, 2});
  if (world.size() < 3)
    return; // the edges of a pair share their messages
  for (int round = 0; round < 5; ++round) {
    own.fill(world.rank(), round);
    exchange.start();
    CHECK((make_ready(exchange, 1) && make_ready(exchange, 2)));
    exchange.wait_along(std::array{0});
    CHECK(own.has_before(round));
    mpi::barrier(world);
    CHECK_FALSE(exchange.arrived_along(std::array{1}));
    CHECK_FALSE(exchange.test());
    CHECK_THROWS_WITH(exchange.start(), Catch::Contains("in flight already"));
    mpi::barrier(world);
    CHECK(make_ready(exchange, 0));
    exchange.wait();
    CHECK(own.has_next(round));
  }
}

TEST_CASE("a message without pieces leaves at the start") {
  auto const world = testing::world();
  ring own(world);
  partitioned_exchange exchange(own.make_whole(world), {0, 0});
  exchange.start();
  exchange.wait();
  CHECK((own.has_before(0) && own.has_next(0)));
}

TEST_CASE("pieces are not ready before the start, nor more often than a message waits for them") {
  auto const world = testing::world();
  ring own(world);
  partitioned_exchange exchange(own.make_whole(world), {2, 2});
  CHECK(exchange.test());
  CHECK_THROWS_WITH(exchange.ready_along(std::array{0}),
                    Catch::Contains("ready before the first start"));
  CHECK_THROWS_WITH(exchange.arrived_along(std::array<int, 0>()),
                    Catch::Contains("arrived before the first start"));
  CHECK_THROWS_WITH(exchange.wait(), Catch::Contains("wait before the first start"));
  exchange.start();
  CHECK(exchange.ready_along(std::array{0, 1}, [](int) { return 2; }));
  CHECK_FALSE(exchange.ready_along(std::array{1}));
  exchange.wait();
}

TEST_CASE("in checked mode a piece that is ready twice is found among others") {
  auto const world = testing::world();
  ring own(world);
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    partitioned_exchange exchange(own.make_whole(world), {2, 2}, 12);
    CHECK(exchange.has_marks() == checked);
    for (int round = 0; round < 2; ++round) {
      exchange.start();
      CHECK(exchange.mark({.offset = 1, .extent = {2, 2, 2}, .stride = {6, 2}}));
      CHECK(exchange.mark({.offset = 0}));
      CHECK(exchange.mark({.offset = 10}) == !checked);
      CHECK(exchange.mark({.offset = 5, .extent = {1, 1, 3}}) == !checked);
      exchange.ready_along(std::array{0, 1}, [](int) { return 2; });
      exchange.wait();
    }
  }
}

TEST_CASE("a halo whose field has moved is refused, whole and in pieces") {
  auto const world = testing::world();
  ring own(world);
  Halo whole = own.make_whole(world);
  partitioned_exchange exchange(whole, {2, 2});
  auto const former = std::exchange(own.values, std::vector<double>(7));
  CHECK_THROWS_WITH(whole.run(), Catch::Contains("halo: field 'u' has moved"));
  CHECK_THROWS_WITH(exchange.start(), Catch::Contains("halo: field 'u' has moved"));
  CHECK(exchange.test());
}

TEST_CASE("partitioned exchanges allocate nothing") {
  auto const world = testing::world();
  ring own(world);
  partitioned_exchange exchange(own.make_whole(world), {2, 2}, 3);
  REQUIRE(num_allocations > 0); // or else nothing is counted
  auto const run_once = [&] {
    exchange.start();
    for (std::size_t k = 0; k < 3; ++k)
      exchange.ready_along(elements2destinations[k]);
    exchange.wait_along(std::array{0, 1});
    exchange.wait();
  };
  for (int r = 0; r < 3; ++r)
    run_once();
  num_allocations = 0;
  for (int r = 0; r < 20; ++r)
    run_once();
  CHECK(num_allocations == 0);
}
