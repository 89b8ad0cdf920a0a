// Windows: accesses of neighbors to each other's memory, and refused accesses.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>

#include <support/catch.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <random>
#include <utility>
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
  mpi::barrier(world);
  auto last = sum.lock(0, lock_kind::shared);
  std::vector<std::int64_t> found{0};
  sum.get(0, 0, found);
  last.unlock();
  CHECK(found[0] == 20 * size);
}

namespace {

using numbers = std::vector<std::int64_t>;

/// The memory of all ranks, and the accesses of a random program, which all ranks know alike. In an
/// epoch each rank puts values into a stripe of its own of each target, and adds to what all share.
class random_program {
public:
  explicit random_program(int num_ranks) : size_(num_ranks) {
    for (int rank = 0; rank < size_; ++rank)
      memory.emplace_back(rank % 3 == 2 ? 0 : stripe * (size_ + 1));
  }

  /// Calls put(origin, target, at, values) and add(...) for each access, after the model has made it.
  template <class Put, class Add>
  void epoch(Put put, Add add) {
    for (int origin = 0; origin < size_; ++origin)
      for (int target = 0; target < size_; ++target) {
        if (memory[std::size_t(target)].empty())
          continue;
        for (bool const adds : {false, true}) {
          std::int64_t const at = below(stripe), first = (adds ? size_ : origin) * stripe + at;
          numbers values(std::size_t(below(below(4) == 0 ? stripe - at + 1 : 5)));
          values.resize(std::min(values.size(), std::size_t(stripe - at)));
          std::ranges::generate(values, [&] { return below(1000); });
          for (std::size_t k = 0; k < values.size(); ++k) {
            std::int64_t& there = memory[std::size_t(target)][std::size_t(first) + k];
            there = values[k] + (adds ? there : 0);
          }
          adds ? add(origin, target, first, values) : put(origin, target, first, values);
        }
      }
  }

  std::int64_t below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(draw_);
  }

  std::vector<numbers> memory; ///< by rank

private:
  static constexpr std::int64_t stripe = 1500;
  int size_;
  std::mt19937 draw_{7};
};

/// A range of a rank's memory, with the values that are read from it.
struct read_range {
  int target;
  std::int64_t at;
  numbers values;
};

} // namespace

TEST_CASE("random accesses between fences leave what a serial model says") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  random_program model(size);
  window<std::int64_t> tested(world, std::ssize(model.memory[std::size_t(rank)]));
  std::mt19937 own_draw(unsigned(rank) + 1);
  std::vector<numbers> sent; // until the epoch ends
  for (int step = 0; step < 12; ++step) {
    tested.fence();
    model.epoch(
        [&](int origin, int target, std::int64_t at, numbers const& values) {
          if (origin == rank)
            tested.put(target, at, sent.emplace_back(values));
        },
        [&](int origin, int target, std::int64_t at, numbers const& values) {
          if (origin == rank)
            tested.accumulate(target, at, sent.emplace_back(values), std::plus<>());
        });
    tested.fence();
    sent.clear();
    CHECK(std::ranges::equal(tested.local(), model.memory[std::size_t(rank)]));
    std::vector<read_range> reads;
    for (int target = 0; target < size; ++target)
      if (auto const length = std::ssize(model.memory[std::size_t(target)]); length > 0) {
        auto const at = std::int64_t(own_draw() % unsigned(length));
        reads.push_back({target, at, numbers(own_draw() % unsigned(length - at) + 1)});
      }
    for (read_range& each : reads)
      tested.get(each.target, each.at, each.values);
    tested.close_epoch();
    for (read_range const& each : reads)
      CHECK(std::equal(each.values.begin(), each.values.end(),
                       model.memory[std::size_t(each.target)].begin() + each.at));
  }
}

TEST_CASE("counters that all ranks add to and read under locks lose nothing") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  window<std::int64_t> counters(world, 1);
  constexpr int rounds = 12;
  numbers const one{1};
  numbers seen(1);
  for (int round = 0; round < rounds; ++round) {
    int const target = (rank + round) % size;
    auto reading = counters.lock(target, lock_kind::shared);
    counters.get(target, 0, seen);
    reading.unlock();
    CHECK(seen[0] >= 0);
    CHECK(seen[0] <= rounds * size);
    auto const adding = counters.lock(target);
    counters.accumulate(target, 0, one, std::plus<>());
  }
  mpi::barrier(world);
  std::int64_t total = 0;
  for (int target = 0; target < size; ++target) {
    numbers found(1);
    auto last = counters.lock(target, lock_kind::shared);
    counters.get(target, 0, found);
    last.unlock();
    total += found[0];
  }
  CHECK(total == rounds * size);
}

TEST_CASE("accesses of derived datatypes touch their elements alone") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  mpi::datatype column;
  MPI_Type_vector(3, 1, 4, MPI_INT, column.receive());
  MPI_Datatype native = column.native();
  MPI_Type_commit(&native);
  untyped_window tested(world, {.length = 12 * sizeof(int), .unit = rank % 2 == 0 ? 1 : 4});
  std::int64_t const unit_there = next % 2 == 0 ? sizeof(int) : 1;
  std::vector<int> out(12), in(12, -1);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = 100 * rank + static_cast<int>(k);
  tested.fence();
  tested.put(next, unit_there, {out.data(), 1, native}, {nullptr, 1, native});
  tested.put(next, 2 * unit_there, {out.data(), 1, MPI_INT}, {nullptr, 1, MPI_INT});
  tested.fence();
  auto const* const local = static_cast<int const*>(tested.data());
  for (int k = 0; k < 12; ++k)
    CHECK(local[k] == (k % 4 == 1 ? 100 * before + k - 1 : k == 2 ? 100 * before : 0));
  tested.get(next, unit_there, {in.data(), 3, MPI_INT}, {nullptr, 1, native});
  tested.get(next, unit_there, {in.data() + 3, 1, native}, {nullptr, 3, MPI_INT});
  tested.close_epoch();
  CHECK(in == std::vector{100 * rank, 100 * rank + 4, 100 * rank + 8, 100 * rank, -1, -1, -1,
                          100 * rank, -1, -1, -1, 0});
}

TEST_CASE("a window refuses ranks that are none, and no call after it has been given away") {
  auto const world = testing::world();
  int const size = world.size();
  window<int> memory(world, 3);
  std::vector<int> values(2);
  using Catch::Contains;
  memory.fence();
  for (int const wrong : {-1, size}) {
    auto const line = Contains("rank " + std::to_string(wrong) + " (expected 0 to " +
                               std::to_string(size - 1) + ")");
    CHECK_THROWS_WITH(memory.put(wrong, 0, values), Contains("put to") && line);
    CHECK_THROWS_WITH(memory.get(wrong, 0, values), Contains("get from") && line);
    CHECK_THROWS_WITH(memory.accumulate(wrong, 0, values, std::plus<>()),
                      Contains("accumulate at") && line);
  }
  memory.put(size - 1, 3, std::span(values).first(0));
  CHECK_THROWS_WITH(memory.put(size - 1, 3, std::span(values).first(1)),
                    Contains("elements 3 to 3"));
  memory.close_epoch();
  CHECK_THROWS_WITH(memory.lock(size), Contains("lock rank"));
  window<int> const other(std::move(memory));
  CHECK_THROWS_WITH(memory.fence(), Contains("has been moved from")); // NOLINT
  CHECK_THROWS_WITH(memory.put(0, 0, values), Contains("put: a window"));
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
