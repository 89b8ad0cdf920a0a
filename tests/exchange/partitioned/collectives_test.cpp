// Partitioned collectives along edges give the results of plain collectives and of partitioned
// messages, on complete communicators and on graphs; each partition arrives by itself.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <deque>

using namespace seam;
using namespace seam::detail;
using testing::expect_early_arrival;
using testing::run_epochs;

namespace {

using values = std::vector<std::int64_t>;

constexpr int block_length = 12; ///< elements along an edge
constexpr std::int64_t untouched = -7;

void fill(values& buffer, int rank, int epoch) {
  for (std::size_t k = 0; k < buffer.size(); ++k)
    buffer[k] = 1000000 * (rank + 1) + 10000 * epoch + std::int64_t(k);
}

/// Partitions of a block at `data`.
partitioned_buffer cut(values& buffer, int partitions, std::size_t offset = 0) {
  return {buffer.data() + offset, partitions, block_length / partitions, MPI_INT64_T};
}

/// The values that a rank sends, receives, and should receive.
struct buffers {
  buffers(std::size_t out, std::size_t in)
      : sent(out * block_length), got(in * block_length), expected(got) {}

  void expect_like(Communicator const& over, partitioned_operation& tested,
                   collective const& plain) {
    run_epochs(
        tested, 6,
        [&](int epoch) {
          fill(sent, over.rank(), epoch);
          std::ranges::fill(got, untouched);
          std::ranges::fill(expected, untouched);
          run(over, plain);
        },
        [&](int) { CHECK(got == expected); });
  }

  values sent, got, expected;
};

elements first_block(values& buffer) { return {buffer.data(), block_length, MPI_INT64_T}; }

/// The collectives on one communicator, all ranks of which call each of these.
struct every_operation {
  explicit every_operation(Communicator const& comm)
      : over(comm),
        edges(edges_of(comm)),
        in(edges.topology.sources().size()),
        out(edges.topology.destinations().size()),
        rank(comm.rank()) {}

  void gather_to(int root) {
    buffers data(1, rank == root ? in : 0);
    auto tested = pgather_init(over, cut(data.sent, 3), cut(data.got, 4), root);
    data.expect_like(over, tested,
                     gather(first_block(data.sent), first_block(data.expected), root));
  }

  void scatter_from(int root) {
    buffers data(rank == root ? out : 0, 1);
    auto tested = pscatter_init(over, cut(data.sent, 2), cut(data.got, 6), root);
    CHECK(tested.num_leaving() == (rank == root ? int(2 * out) : 0));
    data.expect_like(over, tested,
                     scatter(first_block(data.sent), first_block(data.expected), root));
  }

  void bcast_from(int root) {
    values buffer(block_length), expected(block_length);
    auto tested = pbcast_init(over, cut(buffer, rank == root ? 4 : 1 + rank % 3), root);
    run_epochs(
        tested, 6,
        [&](int epoch) {
          fill(buffer, rank, epoch);
          expected = buffer;
          run(over, bcast(first_block(expected), root));
        },
        [&](int) { CHECK(buffer == expected); });
  }

  void allgather_all() {
    buffers data(1, in);
    auto tested = pallgather_init(over, cut(data.sent, 3), cut(data.got, 2));
    data.expect_like(over, tested, allgather(first_block(data.sent), first_block(data.expected)));
  }

  void alltoall_all() {
    buffers data(out, in);
    auto tested = palltoall_init(over, cut(data.sent, 2), cut(data.got, 3));
    CHECK(tested.num_leaving() == int(2 * out));
    CHECK(tested.num_arriving() == int(3 * in));
    data.expect_like(over, tested, alltoall(first_block(data.sent), first_block(data.expected)));
  }

  /// Blocks in the other order, each in partitions of its own number.
  void alltoallw_all() {
    buffers data(out, in);
    std::vector<partitioned_buffer> sends, receives;
    std::vector<elements> plain_sends, plain_receives;
    for (std::size_t e = 0; e < out; ++e) {
      auto const at = (out - 1 - e) * block_length;
      sends.push_back(cut(data.sent, 1 + int(e) % 3, at));
      plain_sends.push_back({data.sent.data() + at, block_length, MPI_INT64_T});
    }
    for (std::size_t e = 0; e < in; ++e) {
      auto const at = (in - 1 - e) * block_length;
      receives.push_back(cut(data.got, 4 - int(e) % 3, at));
      plain_receives.push_back({data.expected.data() + at, block_length, MPI_INT64_T});
    }
    auto tested = palltoallw_init(over, sends, receives);
    data.expect_like(over, tested, alltoallw(plain_sends, plain_receives));
  }

  void run_all(int root) {
    gather_to(root);
    scatter_from(root);
    bcast_from(root);
    allgather_all();
    alltoall_all();
    alltoallw_all();
  }

  Communicator const& over;
  collective_edges edges;
  std::size_t in, out;
  int rank;
};

} // namespace

TEST_CASE("collectives give the plain results from and to every root") {
  auto const world = testing::world();
  for (int root = 0; root < world.size(); ++root)
    every_operation(world).run_all(root);
}

TEST_CASE("collectives on graphs give the plain results along the edges") {
  auto const world = testing::world();
  std::mt19937 random(7);
  for (int trial = 0; trial < 6; ++trial) {
    auto const graph =
        make_graph(world, testing::random_graph(world.size(), random).topology(world.rank()));
    every_operation(graph).run_all(trial % world.size());
  }
}

TEST_CASE("a process without destinations marks partitions as others do") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  std::vector<edge> none, from_first{{0}}, to_last{{size - 1}};
  auto const graph = make_graph(world, Topology::graph(rank == size - 1 ? from_first : none,
                                                       rank == 0 ? to_last : none));
  values sent(block_length), got(block_length), expected(block_length);
  auto all = pallgather_init(graph, cut(sent, 3), cut(got, 2));
  auto to_root = pgather_init(graph, cut(sent, 3), cut(got, 2), size - 1);
  for (auto* started : {&all, &to_root}) {
    CHECK(started->num_leaving() == 3);
    run_epochs(
        *started, 3,
        [&](int epoch) {
          fill(sent, rank, epoch);
          fill(expected, 0, epoch);
        },
        [&](int) { CHECK((rank != size - 1 || got == expected)); });
  }
}

TEST_CASE("edges beyond a border keep their blocks") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  std::vector<edge> const ends{{rank > 0 ? rank - 1 : MPI_PROC_NULL},
                               {rank + 1 < size ? rank + 1 : MPI_PROC_NULL}};
  auto const line = make_graph(world, Topology::graph(ends, ends));
  every_operation(line).alltoall_all();
  every_operation(line).allgather_all();
}

TEST_CASE("values that are in their place already stay there") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), root = size - 1;
  partitioned_buffer const in_place{MPI_IN_PLACE, 0, 0, MPI_INT64_T};
  values all(std::size_t(size * block_length)), own_block(block_length), expected(all.size());
  auto const own = all.begin() + rank * block_length;
  for (int r = 0; r < size; ++r) {
    values one(block_length);
    fill(one, r, 0);
    std::ranges::copy(one, expected.begin() + r * block_length);
  }
  auto const reset = [&](int) {
    std::ranges::fill(all, untouched);
    fill(own_block, rank, 0);
    std::ranges::copy(own_block, own);
  };
  auto everywhere = pallgather_init(world, in_place, cut(all, 3));
  run_epochs(everywhere, 4, reset, [&](int) { CHECK(all == expected); });

  auto at_root =
      pgather_init(world, rank == root ? in_place : cut(own_block, 2), cut(all, 3), root);
  CHECK(at_root.num_leaving() == (rank == root ? 0 : 2));
  run_epochs(at_root, 4, reset, [&](int) {
    if (rank == root)
      CHECK(all == expected);
  });

  auto from_root =
      pscatter_init(world, cut(all, 3), rank == root ? in_place : cut(own_block, 2), root);
  run_epochs(
      from_root, 4, [&](int) { std::ranges::copy(expected, all.begin()); },
      [&](int) {
        CHECK(std::equal(own_block.begin(), own_block.end(),
                         expected.begin() + rank * block_length));
      });
}

TEST_CASE("in place, data that arrives early waits until the data in its place has left") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  partitioned_buffer const in_place{MPI_IN_PLACE, 0, 0, MPI_INT64_T};
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::vector<edge> const ends{{before}, {rank}, {next}};
  auto const ring = make_graph(world, Topology::graph(ends, ends));
  std::mt19937 random(7 + unsigned(rank));
  for (Communicator const* over : {&world, &ring}) {
    std::size_t const degree = edges_of(*over).topology.sources().size();
    values all(degree * block_length), expected(all.size());
    auto tested = palltoall_init(*over, in_place, cut(all, 3));
    CHECK(tested.num_leaving() == int(3 * degree));
    CHECK(tested.num_arriving() == int(3 * degree));
    for (int epoch = 0; epoch < 6; ++epoch) {
      std::ranges::fill(all, untouched);
      tested.start();
      for (int look = 0; look < 200 * ((rank + epoch) % 3); ++look)
        tested.test(); // takes partitions that have come
      CHECK(all == values(all.size(), untouched));
      fill(all, rank, epoch);
      fill(expected, rank, epoch);
      for (int p : testing::shuffled(tested.num_leaving(), random))
        tested.ready(p);
      for (int p = 0; p < tested.num_arriving(); p += 4)
        testing::wait_until_arrived(tested, p);
      tested.wait();
      run(*over, alltoall({MPI_IN_PLACE, 0, MPI_INT64_T}, first_block(expected)));
      CHECK(all == expected);
    }
  }
}

TEST_CASE("in place, edges lead where they come from") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size < 3)
    return;
  std::vector<edge> const next{{(rank + 1) % size}}, before{{(rank + size - 1) % size}};
  values all(block_length);
  CHECK_THROWS_WITH(palltoall_init(make_graph(world, Topology::graph(before, next)),
                                   {MPI_IN_PLACE, 0, 0, MPI_INT64_T}, cut(all, 3)),
                    Catch::Contains("palltoall_init: MPI_IN_PLACE where a block"));
}

TEST_CASE("partition by partition, data arrives while the rest is not ready") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank(), root = size / 2;
  values sent(std::size_t(block_length * size)), got(std::size_t(block_length * size));
  auto const is_lone = [](int p) { return p % 4 == 2; };
  auto gathered = pgather_init(world, cut(sent, 4), cut(got, 4), root);
  expect_early_arrival(world, gathered, 5, is_lone);
  auto scattered = pscatter_init(world, cut(sent, 4), cut(got, 4), root);
  expect_early_arrival(world, scattered, 5, is_lone);
  auto from_root = pbcast_init(world, cut(rank == root ? sent : got, 4), root);
  expect_early_arrival(world, from_root, 5, is_lone);
  auto everywhere = pallgather_init(world, cut(sent, 4), cut(got, 4));
  expect_early_arrival(world, everywhere, 5, is_lone);
  auto turned = palltoall_init(world, cut(sent, 4), cut(got, 4));
  expect_early_arrival(world, turned, 5, is_lone);
  std::vector<edge> const next{{(rank + 1) % size}}, before{{(rank + size - 1) % size}};
  auto const ring = make_graph(world, Topology::graph(before, next));
  auto shifted = palltoall_init(ring, cut(sent, 4), cut(got, 4));
  expect_early_arrival(world, shifted, 5, is_lone);
  auto told = pallgather_init(ring, cut(sent, 4), cut(got, 4));
  expect_early_arrival(world, told, 5, is_lone);
}

TEST_CASE("partitions are marked by destination and asked for by source") {
  auto const world = testing::world();
  int const size = world.size();
  values sent(std::size_t(block_length * size)), got(std::size_t(block_length * size));
  auto turned = palltoall_init(world, cut(sent, 4), cut(got, 2));
  for (int epoch = 0; epoch < 4; ++epoch) {
    fill(sent, world.rank(), epoch);
    turned.start();
    for (int r = 0; r < size; ++r) {
      turned.ready(0, r);
      turned.ready_range(1, 1, r);
    }
    for (int r = 0; r < size; ++r)
      for (patience wait; !turned.arrived(0, r); wait.pause()) {
      }
    CHECK_FALSE(turned.arrived(1, 0));
    mpi::barrier(world);
    for (int r = 0; r < size; ++r)
      turned.ready_list(std::vector{3, 2}, r);
    turned.wait();
    for (int r = 0; r < size; ++r) {
      values from_source(sent.size());
      fill(from_source, r, epoch);
      CHECK(std::equal(got.begin() + r * block_length, got.begin() + (r + 1) * block_length,
                       from_source.begin() + world.rank() * block_length));
    }
  }
  turned.start();
  CHECK_THROWS_WITH(turned.ready(4, 0), Catch::Contains("pready: partition 4 of palltoall_init "
                                                        "(expected 0 to 3)"));
  CHECK_THROWS_WITH(turned.ready(0, size),
                    Catch::Contains(fmt::format("pready: destination {} of palltoall_init", size)));
  CHECK_THROWS_WITH(turned.arrived(0, -1), Catch::Contains("parrived: source -1 of"));
  turned.ready(1, 0);
  CHECK_THROWS_WITH(turned.ready(1), Catch::Contains("partition 1 of palltoall_init is ready "
                                                     "already"));
  turned.ready(0);
  turned.ready_range(2, 4 * size - 1);
  turned.wait();
}

TEST_CASE("a partition that is marked twice keeps its first values") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank(), next = (rank + 1) % size;
  int const before = (rank + size - 1) % size;
  MPI_Datatype column = MPI_DATATYPE_NULL, columns = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, 3, MPI_INT64_T, &column);
  MPI_Type_create_resized(column, 0, sizeof(std::int64_t), &columns);
  MPI_Type_commit(&columns);
  values sent(block_length), got(std::size_t(size * block_length)), alone(block_length);
  auto everywhere = pallgather_init(world, {sent.data(), 3, 1, columns}, cut(got, 3));
  auto out = psend_init(world, {sent.data(), 3, 1, columns}, next, 0);
  auto in = precv_init(world, {alone.data(), 3, 1, columns}, before, 0);
  for (int epoch = 0; epoch < 3; ++epoch) {
    fill(sent, rank, epoch);
    for (auto* started : {&everywhere, &out, &in})
      started->start();
    for (auto* started : {&everywhere, &out}) {
      started->ready(1);
      started->ready(2);
    }
    for (int row = 0; row < 4; ++row)
      sent[std::size_t(3 * row + 1)] = untouched;
    for (auto* started : {&everywhere, &out}) {
      CHECK_THROWS_WITH(started->ready(1), Catch::Contains("is ready already"));
      CHECK_THROWS_WITH(started->ready_range(0, 1), Catch::Contains("is ready already"));
      started->ready(0);
    }
    for (auto* started : {&everywhere, &out, &in})
      started->wait();
    for (int source = 0; source < size; ++source) {
      values from_source(block_length);
      fill(from_source, source, epoch);
      for (std::size_t k = 0; k < block_length; ++k) {
        CHECK(got[std::size_t(source * block_length) + k % 3 * 4 + k / 3] == from_source[k]);
        if (source == before)
          CHECK(alone[k] == from_source[k]);
      }
    }
  }
  MPI_Type_free(&column);
  MPI_Type_free(&columns);
}

TEST_CASE("a collective gives the results of partitioned messages between all ranks") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  values sent(std::size_t(block_length * size)), got(sent.size()), expected(sent.size());
  fill(sent, rank, 0);
  auto turned = palltoall_init(world, cut(sent, 3), cut(got, 4));
  std::deque<partitioned_operation> messages;
  for (int r = 0; r < size; ++r) {
    messages.push_back(psend_init(world, cut(sent, 3, std::size_t(r * block_length)), r, 0));
    messages.push_back(precv_init(world, cut(expected, 4, std::size_t(r * block_length)), r, 0));
  }
  turned.start();
  for (auto& started : messages) {
    started.start();
    if (started.num_leaving() > 0)
      started.ready_range(0, 2);
  }
  turned.ready_range(0, 3 * size - 1);
  turned.wait();
  for (auto& started : messages)
    started.wait();
  CHECK(got == expected);
}

TEST_CASE("assertions are used, and checked in checked mode") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  values sent(std::size_t(block_length * size)), got(sent.size()), told(block_length);
  partitioned_settings pairs, all, leaves;
  pairs.pairs_are_alike = all.senders_are_alike = all.receivers_are_alike = true;
  leaves.leaves_are_alike = true;
  for (bool const checked : {true, false}) {
    checks_in_scope const scope(checked);
    auto turned = palltoall_init(world, cut(sent, 3), cut(got, 3), pairs);
    auto other = palltoall_init(world, cut(sent, 3), cut(got, 2), all);
    auto from_root = pbcast_init(world, cut(told, rank == 0 ? 4 : 2), 0, leaves);
    for (auto* started : {&turned, &other, &from_root})
      run_epochs(
          *started, 3, [&](int epoch) { fill(sent, rank, epoch); }, [](int) {});
  }
  checks_in_scope const scope(true);
  CHECK_THROWS_WITH(palltoall_init(world, cut(sent, 3), cut(got, 4), pairs),
                    Catch::Contains("palltoall_init: 3 partitions for the process itself, which "
                                    "receives 4 (expected as many, as has been asserted)"));
  if (size < 2)
    return;
  std::vector<edge> const next{{(rank + 1) % size}}, before{{(rank + size - 1) % size}};
  auto const ring = make_graph(world, Topology::graph(before, next));
  CHECK_THROWS_WITH(palltoall_init(ring, cut(sent, 3), cut(got, 4), pairs),
                    Catch::Contains("partitions, and the other end has") &&
                        Catch::Contains("as has been asserted"));
  CHECK_THROWS_WITH(palltoall_init(world, cut(sent, 3), cut(got, rank == 1 ? 2 : 4), all),
                    Catch::Contains("palltoall_init: 2 partitions at one receiving end and 4 at "
                                    "another"));
  if (size > 2)
    CHECK_THROWS_WITH(pbcast_init(world, cut(told, 1 + rank), 0, leaves),
                      Catch::Contains("2 partitions at one receiving end"));
}

TEST_CASE("a collective that is freed without a start leaves the next one alone") {
  checks_in_scope const off(false);
  auto const world = testing::world();
  values sent(std::size_t(block_length * world.size())), got(sent.size()), expected(sent.size());
  partitioned_settings pairs;
  pairs.pairs_are_alike = true; // so that ends need not have met when the collective is freed
  for (auto const& settings : {pairs, partitioned_settings{}}) {
    auto const over = world.dup();
    static_cast<void>(palltoall_init(over, cut(sent, 2), cut(got, 2), pairs));
    auto next = palltoall_init(over, cut(sent, 4), cut(got, 4), settings);
    run_epochs(
        next, 2, [&](int epoch) { fill(sent, world.rank(), epoch); },
        [&](int) {
          run(over, alltoall(first_block(sent), first_block(expected)));
          CHECK(got == expected);
        });
  }
}

TEST_CASE("calls that do not fit together are the same line on all ranks") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  values sent(std::size_t(block_length * size)), got(sent.size());
  CHECK_THROWS_WITH(pbcast_init(world, cut(sent, 1), size), Catch::Contains("root"));
  CHECK_THROWS_WITH(palltoallw_init(world, {}, {}),
                    Catch::Contains("palltoallw_init: 0 blocks for"));
  if (size < 2)
    return;
  CHECK_THROWS_WITH(pbcast_init(world, cut(sent, 1), rank == 1 ? 1 : 0),
                    Catch::Contains("pbcast_init(root 1)") &&
                        Catch::Contains("pbcast_init(root 0) as on rank 0"));
  partitioned_buffer shorter = cut(sent, 3);
  shorter.count -= rank == 1 ? 1 : 0;
  CHECK_THROWS_WITH(pallgather_init(world, shorter, cut(got, 3)),
                    Catch::Contains("pallgather_init: 72 bytes for the process itself"));
  std::vector rooms(std::size_t(size), shorter);
  for (std::size_t k = 0; k < rooms.size(); ++k)
    rooms[k].data = got.data() + k * block_length;
  CHECK_THROWS_WITH(palltoallw_init(world, std::vector(std::size_t(size), shorter), rooms),
                    Catch::Contains("72 bytes in 3 partitions of 24 bytes") &&
                        Catch::Contains("96 bytes in 3 partitions of 32 bytes"));
  auto after = palltoall_init(world, cut(sent, 3), cut(got, 3));
  run_epochs(
      after, 2, [&](int epoch) { fill(sent, rank, epoch); }, [](int) {});
}
