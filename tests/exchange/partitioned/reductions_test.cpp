// Partitioned reductions give the results of plain collectives, partition by partition, whatever
// the order in which partitions become ready; each partition arrives by itself.
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/reductions.hpp>

#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <optional>

using namespace seam;
using namespace seam::detail;
using testing::expect_early_arrival;
using testing::run_epochs;

namespace {

using values = std::vector<std::int64_t>;

constexpr int partitions = 5;
constexpr std::int64_t untouched = -7;

/// Composition of the maps x -> a x + b modulo a prime, which does not commute.
struct compose {
  std::int64_t operator()(std::int64_t left, std::int64_t right) const {
    constexpr std::int64_t prime = 1009;
    auto const [a, b] = std::pair(left / prime, left % prime);
    auto const [c, d] = std::pair(right / prime, right % prime);
    return a * c % prime * prime + (a * d + b) % prime;
  }
};

void fill(values& buffer, int rank, int epoch) {
  for (std::size_t k = 0; k < buffer.size(); ++k)
    buffer[k] = (131 * rank + 17 * epoch + 7 * std::int64_t(k) + 1) % (1009 * 1009);
}

std::vector<MPI_Op> operations() {
  return {MPI_SUM, MPI_MAX, MPI_BXOR, mpi::op_of<std::int64_t>(compose())};
}

/// Runs epochs of `tested`, whose result is to be that of `plain` in another buffer.
void expect_like(Communicator const& over, partitioned_operation& tested, collective const& plain,
                 values& in, values& out, values const& expected) {
  run_epochs(
      tested, 6,
      [&](int epoch) {
        fill(in, over.rank(), epoch);
        std::ranges::fill(out, untouched);
        std::ranges::fill(const_cast<values&>(expected), untouched);
        run(over, plain);
      },
      [&](int) { CHECK(out == expected); });
}

partitioned_buffer in_place(partitioned_buffer const& like) {
  return {MPI_IN_PLACE, like.partitions, like.count, like.type};
}

} // namespace

TEST_CASE("an allreduce gives the plain result, in place too") {
  auto const world = testing::world();
  for (MPI_Op op : operations()) {
    values in(15), out(15), expected(15);
    auto sum =
        pallreduce_init(world, in_partitions(in, partitions), in_partitions(out, partitions), op);
    expect_like(world, sum, allreduce(elements_of(in), elements_of(expected), op), in, out,
                expected);
    auto const room = in_partitions(out, 3);
    auto same = pallreduce_init(world, in_place(room), room, op);
    run_epochs(
        same, 4,
        [&](int epoch) {
          fill(out, world.rank(), epoch);
          in = out;
          run(world, allreduce(elements_of(in), elements_of(expected), op));
        },
        [&](int) { CHECK(out == expected); });
  }
}

TEST_CASE("large partitions too") {
  auto const world = testing::world();
  values in(80000), out(80000), expected(80000);
  auto sum = pallreduce_init(world, in_partitions(in, 4), in_partitions(out, 4), MPI_SUM);
  expect_like(world, sum, allreduce(elements_of(in), elements_of(expected), MPI_SUM), in, out,
              expected);
}

TEST_CASE("a reduce gives the plain result to any root, which may cut its buffer in its own way") {
  auto const world = testing::world();
  for (MPI_Op op : operations())
    for (int root = 0; root < world.size(); ++root) {
      values in(12), out(12), expected(12);
      int const own = world.rank() == root ? 3 : 4;
      auto sum = preduce_init(world, in_partitions(in, own), in_partitions(out, own), op, root);
      CHECK(sum.num_leaving() == own);
      CHECK(sum.num_arriving() == (world.rank() == root ? 3 : 0));
      expect_like(world, sum, reduce(elements_of(in), elements_of(expected), op, root), in, out,
                  expected);
    }
}

TEST_CASE("a reduce-scatter gives each rank its block") {
  auto const world = testing::world();
  int const size = world.size();
  for (MPI_Op op : operations()) {
    values in(std::size_t(6 * size)), out(6), expected(6);
    partitioned_buffer const first{in.data(), 3, 2, MPI_INT64_T};
    auto sum = preduce_scatter_block_init(world, first, in_partitions(out, 3), op);
    expect_like(world, sum, reduce_scatter_block(elements_of(in), elements_of(expected), op), in,
                out, expected);

    std::vector<partitioned_buffer> sends;
    std::vector<int> counts;
    std::int64_t begin = 0;
    for (int r = 0; r < size; ++r) {
      sends.push_back({in.data() + begin, 1 + r % 3, 2, MPI_INT64_T});
      counts.push_back(int(sends.back().num_elements()));
      begin += counts.back();
    }
    auto const own = std::size_t(counts[std::size_t(world.rank())]);
    values part(own), expected_part(own);
    auto each = preduce_scatter_init(
        world, sends, in_partitions(part, sends[std::size_t(world.rank())].partitions), op);
    expect_like(world, each,
                reduce_scatter(elements_of(in), elements_of(expected_part), counts, op), in, part,
                expected_part);
  }
}

TEST_CASE("in place, a reduce-scatter overwrites no values that are not ready") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  bool const is_even = GENERATE(true, false);
  std::vector<int> counts;
  std::vector<partitioned_buffer> shapes;
  int total = 0;
  for (int r = 0; r < size; ++r) {
    int const length = is_even ? 2 : 1 + r % 3; // of a partition, 3 to a block
    shapes.push_back({MPI_IN_PLACE, 3, length, MPI_INT64_T});
    counts.push_back(3 * length);
    total += 3 * length;
  }
  values all(total), plain(all.size());
  values expected(counts[rank]);
  partitioned_buffer receive = shapes[std::size_t(rank)];
  receive.data = all.data();
  auto tested = is_even ? preduce_scatter_block_init(world, {MPI_IN_PLACE, 0, 0, MPI_INT64_T},
                                                     receive, MPI_SUM)
                        : preduce_scatter_init(world, shapes, receive, MPI_SUM);
  CHECK(tested.num_leaving() == 3 * size);
  CHECK(tested.num_arriving() == 3);
  std::mt19937 random(7 + unsigned(rank));
  for (int epoch = 0; epoch < 8; ++epoch) {
    fill(all, rank, epoch);
    fill(plain, rank, epoch);
    run(world, reduce_scatter(elements_of(plain), elements_of(expected), counts, MPI_SUM));
    tested.start();
    std::size_t left = std::size_t(tested.num_leaving());
    for (int p : testing::shuffled(tested.num_leaving(), random)) {
      if (--left == 0)
        for (int look = 0; look < 300 * ((rank + epoch) % 3); ++look)
          tested.test(); // results arrive while one partition is not ready
      tested.ready(p);
    }
    if (epoch % 2 == 0)
      testing::wait_until_arrived(tested, epoch % 3);
    tested.wait();
    CHECK(std::ranges::equal(expected, std::span(all).first(expected.size())));
  }
  shapes.front().data = all.data();
  if (size > 1)
    CHECK_THROWS_WITH(preduce_scatter_init(world, shapes, receive, MPI_SUM),
                      Catch::Contains("MPI_IN_PLACE for some blocks"));
}

TEST_CASE("scans give the plain results") {
  auto const world = testing::world();
  for (MPI_Op op : operations()) {
    values in(10), out(10), expected(10);
    auto const from = in_partitions(in, partitions), into = in_partitions(out, partitions);
    auto inclusive = pscan_init(world, from, into, op);
    expect_like(world, inclusive, scan(elements_of(in), elements_of(expected), op), in, out,
                expected);
    auto exclusive = pexscan_init(world, from, into, op);
    expect_like(world, exclusive, exscan(elements_of(in), elements_of(expected), op), in, out,
                expected);
    auto same = pscan_init(world, in_place(into), into, op);
    run_epochs(
        same, 3,
        [&](int epoch) {
          fill(out, world.rank(), epoch);
          in = out;
          run(world, scan(elements_of(in), elements_of(expected), op));
        },
        [&](int) { CHECK(out == expected); });
  }
}

TEST_CASE("on graphs values are combined along the edges, as by the plain collective") {
  auto const world = testing::world();
  std::mt19937 random(3);
  for (int trial = 0; trial < 6; ++trial) {
    auto const graph =
        make_graph(world, testing::random_graph(world.size(), random).topology(world.rank()));
    MPI_Op const op = operations()[std::size_t(trial % 4)];
    values in(10), out(10), expected(10);
    auto sum =
        pallreduce_init(graph, in_partitions(in, partitions), in_partitions(out, partitions), op);
    expect_like(graph, sum, allreduce(elements_of(in), elements_of(expected), op), in, out,
                expected);
    int const root = trial % world.size();
    auto to_root = preduce_init(graph, in_partitions(in, 2), in_partitions(out, 2), op, root);
    expect_like(graph, to_root, reduce(elements_of(in), elements_of(expected), op, root), in, out,
                expected);
  }
}

TEST_CASE("a partition that is ready everywhere is reduced while no other is ready anywhere") {
  auto const world = testing::world();
  values in(20), out(20);
  fill(in, world.rank(), 0);
  auto const from = in_partitions(in, partitions), into = in_partitions(out, partitions);
  auto const is_lone = [](int p) { return p == 3; };
  auto all = pallreduce_init(world, from, into, MPI_SUM);
  expect_early_arrival(world, all, 5, is_lone);
  auto one = preduce_init(world, from, into, MPI_SUM, world.size() - 1);
  expect_early_arrival(world, one, 5, is_lone);
  auto inclusive = pscan_init(world, from, into, MPI_SUM);
  expect_early_arrival(world, inclusive, 5, is_lone);
  auto exclusive = pexscan_init(world, from, into, MPI_SUM);
  expect_early_arrival(world, exclusive, 5, is_lone);
}

TEST_CASE("a partition of a reduce-scatter arrives alone") {
  auto const world = testing::world();
  values in(std::size_t(8 * world.size())), out(8);
  auto sum = preduce_scatter_block_init(world, {in.data(), 4, 2, MPI_INT64_T},
                                        in_partitions(out, 4), MPI_SUM);
  CHECK(sum.num_leaving() == 4 * world.size());
  for (int epoch = 0; epoch < 3; ++epoch) {
    fill(in, world.rank(), epoch);
    sum.start();
    for (int r = 0; r < world.size(); ++r)
      sum.ready(2, r);
    testing::wait_until_arrived(sum, 2);
    CHECK_FALSE(sum.arrived(1));
    mpi::barrier(world);
    for (int r = 0; r < world.size(); ++r)
      sum.ready_list(std::vector{3, 0, 1}, r);
    sum.wait();
  }
}

TEST_CASE("buffers may be prepared before partitions are reduced") {
  auto const world = testing::world();
  values in(4), out(4);
  auto sum = pallreduce_init(world, in_partitions(in, 2), in_partitions(out, 2), MPI_SUM);
  for (int epoch = 0; epoch < 4; ++epoch) {
    fill(in, 0, epoch);
    sum.start();
    sum.prepare_buffers();
    sum.ready_range(0, 1);
    sum.wait();
    CHECK(out[1] == world.size() * in[1]);
  }
}

TEST_CASE("reductions that do not fit together are the same line on all ranks") {
  auto const world = testing::world();
  values in(12), out(12);
  auto const from = in_partitions(in, 2), into = in_partitions(out, 2);
  int const odd = world.rank() % 2;
  if (world.size() > 1) {
    CHECK_THROWS_WITH(pallreduce_init(world, in_partitions(in, 2 + odd),
                                      in_partitions(out, 2 + odd), MPI_SUM),
                      Catch::Contains("3 partitions of 4 MPI_INT64_T") &&
                          Catch::Contains("2 partitions of 6 MPI_INT64_T) as on rank 0"));
    CHECK_THROWS_WITH(pscan_init(world, from, into, odd != 0 ? MPI_MAX : MPI_SUM),
                      Catch::Contains("pscan_init(max"));
    CHECK_THROWS_WITH(preduce_init(world, from, into, MPI_SUM, odd), Catch::Contains("root 1"));
  }
  if (world.size() > 2)
    CHECK_THROWS_WITH(preduce_init(world, in_partitions(in, world.rank() == 2 ? 3 : 2),
                                   in_partitions(out, world.rank() == 2 ? 3 : 2), MPI_SUM, 0),
                      Catch::Contains("preduce_init: 3 partitions of 4"));
  CHECK_THROWS_WITH(preduce_init(world, from, into, MPI_SUM, world.size()),
                    Catch::Contains("preduce_init: root"));
  CHECK_THROWS_WITH(pallreduce_init(world, from, in_partitions(out, 3), MPI_SUM),
                    Catch::Contains("(expected as many, of the same type)"));
  for (MPI_Op op : {MPI_MAXLOC, MPI_OP_NULL}) {
    auto const told = Catch::Contains(op == MPI_OP_NULL ? "MPI_OP_NULL (expected an operation)"
                                                        : "of MPI_INT64_T (expected an operation "
                                                          "that MPI defines for");
    CHECK_THROWS_WITH(pallreduce_init(world, from, into, op), told);
    CHECK_THROWS_WITH(preduce_init(world, from, into, op, 0), told);
    CHECK_THROWS_WITH(pexscan_init(world, from, into, op), told);
    CHECK_THROWS_WITH(preduce_scatter_block_init(world, {in.data(), 1, 1, MPI_INT64_T},
                                                 {out.data(), 1, 1, MPI_INT64_T}, op),
                      told);
  }
  partitioned_buffer typeless = from;
  typeless.type = world.rank() == 0 ? MPI_DATATYPE_NULL : MPI_INT64_T;
  CHECK_THROWS_WITH(pallreduce_init(world, typeless, into, MPI_SUM),
                    Catch::Contains("MPI_DATATYPE_NULL"));
  auto const graph = make_graph(world, Topology::graph({}, {}));
  CHECK_THROWS_WITH(pscan_init(graph, from, into, MPI_SUM),
                    Catch::Contains("pscan_init: has no meaning on a graph communicator"));
  auto sum = pallreduce_init(world, from, into, MPI_SUM);
  CHECK_THROWS_WITH(sum.ready(0, 0), Catch::Contains("pready: destination 0 of pallreduce_init "
                                                     "(expected none, as partitions are for all)"));
}
