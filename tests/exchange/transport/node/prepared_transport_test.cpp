// The transport of prepared operations in the memory of a node delivers the data that messages
// would, among any nodes, from any memory, in any order of waits, and makes no call of MPI.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// The memory in which a rank keeps its array.
enum class storage { shared, own, differing };

/// An array of a rank: for each edge out elements that leave, then for each edge in elements that
/// arrive, both in rows with gaps.
class part {
public:
  part(Communicator const& over, testing::random_graph const& graph, int scale, storage where)
      : rank_(over.rank()), graph_(graph), scale_(scale) {
    std::vector<region> leaving, arriving;
    auto const& out = graph.destinations(rank_);
    auto const& in = graph.sources(rank_);
    std::int64_t offset = 0;
    for (std::size_t e = 0; e < out.size(); ++e)
      leaving.push_back(next_region(out[e], 4, offset));
    for (std::size_t e = 0; e < in.size(); ++e)
      arriving.push_back(next_region(in[e], e % 3 == 0 ? 7 : 4, offset));
    exchanged = {graph.topology(rank_), regions_of_edges(leaving), regions_of_edges(arriving)};
    auto const shared = allocate<double>(over, offset);
    bool const is_own = where == storage::own || (where == storage::differing && rank_ % 2 == 0);
    values = is_own ? std::shared_ptr<double[]>(new double[std::size_t(offset)]) : shared;
    std::fill_n(values.get(), offset, 0.0);
  }

  void fill(int epoch) {
    for (int e = 0; e < exchanged.sends().num_edges(); ++e)
      for_each(exchanged.sends()[e][0],
               [&](double& value, int k) { value = sent(rank_, e, k, epoch); });
  }

  /// The number of elements that are not `before` plus the value sent at the other end of their
  /// edge.
  int num_wrong(int epoch, double before) {
    int wrong = 0;
    for (int e = 0; e < exchanged.receives().num_edges(); ++e)
      for_each(exchanged.receives()[e][0], [&](double const& value, int k) {
        int const from = graph_.sources(rank_)[std::size_t(e)].rank;
        wrong += value != before + sent(from, graph_.other_end(rank_, e), k, epoch);
      });
    return wrong;
  }

  void set_arrived(double to) {
    for (int e = 0; e < exchanged.receives().num_edges(); ++e)
      for_each(exchanged.receives()[e][0], [&](double& value, int) { value = to; });
  }

  plan exchanged{Topology::graph({}, {}), {}, {}};
  std::shared_ptr<double[]> values;

private:
  /// Rows of 2 in steps of `step`; the weight of an edge, which both ends know, gives their number.
  region next_region(edge const& listed, int step, std::int64_t& offset) const {
    std::int64_t const rows = listed.weight * scale_;
    region const made{offset, {1, rows, 2}, {0, step}};
    offset += rows * step;
    return made;
  }

  template <class Visit>
  void for_each(region const& where, Visit visit) {
    int k = 0;
    for (std::int64_t j = 0; j < where.extent[1]; ++j)
      for (std::int64_t i = 0; i < where.extent[2]; ++i)
        visit(values[std::size_t(where.offset + j * where.stride[1] + i)], k++);
  }

  static double sent(int rank, int edge, int k, int epoch) {
    return 1e6 * rank + 1e4 * edge + k + 0.25 * epoch;
  }

  int rank_;
  testing::random_graph const& graph_;
  int scale_;
};

void deliver_on_random_graphs(reduction how, int scale, int trials) {
  std::mt19937 random(7);
  for (int ranks : {0, 1, 2, 3}) {
    set_node_size(ranks);
    auto const world = testing::world();
    for (storage where : {storage::shared, storage::own, storage::differing})
      for (int trial = 0; trial < trials; ++trial) {
        testing::random_graph const graph(world.size(), random);
        part own(world, graph, scale, where);
        std::vector const arrays{exchanged_array::of(own.values.get(), how)};
        auto exchange = make_exchange(world, own.exchanged, arrays);
        for (int epoch = 0; epoch < 5; ++epoch) {
          own.fill(epoch);
          own.set_arrived(3);
          exchange.run();
          CHECK(own.num_wrong(epoch, how == reduction::sum ? 3 : 0) == 0);
        }
      }
  }
  set_node_size(0);
}

/// Each rank gives `out` to the next one and gets `in` from the one before, all in shared memory.
struct ring {
  explicit ring(Communicator const& over, int count = 4)
      : values(allocate<double>(over, 2 * count)),
        out(values.get(), std::size_t(count)),
        in(values.get() + count, std::size_t(count)),
        before((over.rank() + over.size() - 1) % over.size()),
        exchange(make(over, count)) {}

  operation make(Communicator const& over, int count) {
    region const leaving{0, {1, 1, count}}, arriving{count, {1, 1, count}};
    plan const exchanged(Topology::graph({{before}}, {{(over.rank() + 1) % over.size()}}),
                         regions_of_edges({leaving}), regions_of_edges({arriving}));
    return make_exchange(over, exchanged, std::vector{exchanged_array::of(values.get())});
  }

  void fill(double value) { std::ranges::fill(out, value); }
  bool holds(double value) const {
    return std::ranges::all_of(in, [&](double element) { return element == value; });
  }

  std::shared_ptr<double[]> values;
  std::span<double> out, in;
  int before;
  operation exchange;
};

} // namespace

TEST_CASE("every edge delivers its elements among any nodes and from any memory") {
  shared_memory_in_scope const on(true);
  deliver_on_random_graphs(reduction::replace, 1, 4);
  deliver_on_random_graphs(reduction::replace, 10, 1);
  deliver_on_random_graphs(reduction::replace, 200, 1);
}

TEST_CASE("values that arrive are combined") {
  shared_memory_in_scope const on(true);
  deliver_on_random_graphs(reduction::sum, 1, 2);
  deliver_on_random_graphs(reduction::sum, 40, 1);
}

TEST_CASE("without shared memory the same is delivered by messages") {
  shared_memory_in_scope const off(false);
  deliver_on_random_graphs(reduction::replace, 1, 1);
}

TEST_CASE("neighbors of one node ask nothing of MPI once the exchange is planned") {
  auto const world = testing::world();
  for (bool shared : {true, false}) {
    shared_memory_in_scope const use(shared);
    bool const by_messages = world.size() > 1 && (!shared || world.node().is_alone());
    ring edges(world);
    constexpr int epochs = 100;
    auto const calls = testing::calls_of([&] {
      for (int epoch = 0; epoch < epochs; ++epoch) {
        edges.fill(100.0 * world.rank() + epoch);
        edges.exchange.run();
        CHECK(edges.holds(100.0 * edges.before + epoch));
      }
    });
    CHECK(calls.sends == (by_messages ? epochs : 0));
    CHECK((calls.receives > 0) == by_messages);
    CHECK(calls.collectives == 0);
  }
}

TEST_CASE("the last gate lets a message go, whichever thread opens it") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  ring edges(world);
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::ranges::fill(edges.in, -1);
    auto flying = edges.exchange.start_gated();
    CHECK_FALSE(flying.test());
    std::jthread([&] {
      edges.fill(10.0 * world.rank() + epoch);
      flying.open(0);
    }).join();
    flying.wait();
    CHECK(edges.holds(10.0 * edges.before + epoch));
  }
}

TEST_CASE("neighbors come to their ends while a rank that has started is busy elsewhere") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  ring edges(world, 5000);
  for (int epoch = 0; epoch < 6; ++epoch) {
    edges.fill(10.0 * world.rank() + epoch);
    auto flying = edges.exchange.start();
    if ((world.rank() + epoch) % 2 == 0) {
      flying.wait();
      edges.fill(-1); // a receiver that has not taken it yet must not see this
      mpi::barrier(world);
    } else {
      mpi::barrier(world);
      flying.wait();
    }
    CHECK(edges.holds(10.0 * edges.before + epoch));
    mpi::barrier(world);
  }
}

TEST_CASE("ranks may wait for operations in different orders, with messages under way") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  ring a(world), b(world, 3000);
  std::vector<double> large_out(300000, world.rank()), large_in(large_out.size());
  int const next = (world.rank() + 1) % world.size();
  for (int epoch = 0; epoch < 5; ++epoch) {
    a.fill(world.rank() + 0.25 * epoch);
    b.fill(world.rank() + 0.5 * epoch);
    MPI_Request large[2];
    MPI_Irecv(large_in.data(), 300000, MPI_DOUBLE, a.before, 0, world.view().native(), &large[0]);
    MPI_Isend(large_out.data(), 300000, MPI_DOUBLE, next, 0, world.view().native(), &large[1]);
    auto first = a.exchange.start();
    auto second = b.exchange.start();
    if (world.rank() % 2 == 0) {
      first.wait();
      MPI_Waitall(2, large, MPI_STATUSES_IGNORE);
      second.wait();
    } else {
      second.wait();
      first.wait();
      MPI_Waitall(2, large, MPI_STATUSES_IGNORE);
    }
    CHECK(a.holds(a.before + 0.25 * epoch));
    CHECK(b.holds(b.before + 0.5 * epoch));
    CHECK(large_in.back() == a.before);
  }
}

TEST_CASE("operations end at different times on different ranks, and others take their place") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  std::vector<std::unique_ptr<ring>> kept;
  for (int k = 0; k < 30; ++k) {
    auto edges = std::make_unique<ring>(world);
    for (int epoch = 0; epoch < 3; ++epoch) {
      edges->fill(world.rank() + 0.5 * epoch + k);
      edges->exchange.run();
      CHECK(edges->holds(edges->before + 0.5 * epoch + k));
    }
    if ((world.rank() + k) % 3 == 0)
      kept.push_back(std::move(edges));
  }
}

TEST_CASE("packed bytes stay until the receiver has them, though the operation is gone") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  int const rank = world.rank(), last = world.size() - 1;
  Topology const edges = rank == 0 && last > 0      ? Topology::graph({}, {{last}})
                         : rank > 0 && rank == last ? Topology::graph({{0}}, {})
                                                    : Topology::graph({}, {});
  std::vector<double> values(1500, rank == 0 ? 7 : 0); // which no other process can read
  regions_of_edges const all({region{0, {1, 1, 1500}}}), none;
  plan const exchanged(edges, edges.destinations().empty() ? none : all,
                       edges.sources().empty() ? none : all);
  std::optional exchange(make_exchange(world, exchanged,
                                       std::vector{exchanged_array::of(values.data())}));
  if (rank == 0 && last > 0) {
    exchange->run();
    exchange.reset();
    std::vector<std::shared_ptr<std::byte>> taken;
    while (!world.node().is_alone() && taken.size() < 20) // as long as the packed bytes
      if (auto memory = world.node().memory().take(12032); memory != nullptr)
        std::memset(taken.emplace_back(std::move(memory)).get(), 1, 12032);
      else
        break;
    mpi::barrier(world);
  } else {
    mpi::barrier(world);
    exchange->run();
    if (rank == last)
      CHECK(values == std::vector<double>(1500, 7));
  }
}

TEST_CASE("blocks of a prepared collective travel through shared memory from wherever they lie") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  auto const graph = make_graph(world, Topology::graph({{before}, {next}}, {{next}, {before}}));
  std::vector<int> out(2000), in(2000);
  auto planned = prepare(graph, alltoall(out, in));
  for (int epoch = 0; epoch < 5; ++epoch) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = 10000 * world.rank() + static_cast<int>(k) + epoch;
    planned.run();
    // The block from the rank before is its first, that from the next rank its second. Where both
    // are one process, the order of the edges agrees.
    int wrong = 0;
    for (std::size_t k = 0; k < in.size(); ++k)
      wrong += in[k] != 10000 * (k < 1000 ? before : next) + static_cast<int>(k) + epoch;
    CHECK(wrong == 0);
  }
}

TEST_CASE("a plan may write to where an earlier one has sent from") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  constexpr std::int64_t count = 3000;
  auto const values = allocate<double>(world, 2 * count);
  regions_of_edges const front({region{0, {1, 1, count}}}), back({region{count, {1, 1, count}}});
  Topology const ring = Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}});
  std::vector const rounds{plan(ring, front, back), plan(ring, back, front)};
  auto exchange = make_exchange(world, rounds, std::vector{exchanged_array::of(values.get())});
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::fill_n(values.get(), count, 100.0 * epoch + rank);
    exchange.run();
    CHECK(values[count] == 100.0 * epoch + (rank + size - 1) % size);
    CHECK(values[2 * count - 1] == values[count]);
    CHECK(values[0] == 100.0 * epoch + (rank + 2 * size - 2) % size);
    CHECK(values[count - 1] == values[0]);
  }
}

TEST_CASE("two ends of a message that differ in length are named on all ranks") {
  shared_memory_in_scope const on(true);
  checks_in_scope const unchecked(false);
  auto const world = testing::world();
  if (world.node().is_alone() || world.size() < 2)
    return;
  int const rank = world.rank();
  std::vector<double> values(20);
  Topology const pair = rank == 0   ? Topology::graph({}, {{1}})
                        : rank == 1 ? Topology::graph({{0}}, {})
                                    : Topology::graph({}, {});
  auto const some = [](bool any, std::int64_t count) {
    return any ? regions_of_edges({region{0, {1, 1, count}}}) : regions_of_edges();
  };
  plan const exchanged(pair, some(rank == 0, 7), some(rank == 1, 9));
  CHECK_THROWS_WITH(make_exchange(world, exchanged,
                                  std::vector{exchanged_array::of(values.data())}),
                    Catch::Contains("a message of 56 bytes") && Catch::Contains("is of 72 bytes"));
}
