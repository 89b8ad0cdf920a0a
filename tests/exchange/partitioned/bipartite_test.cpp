// Partitioned collectives between the two sides of a bipartite communicator give the results of
// plain collectives, partition by partition.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/reductions.hpp>

#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/two_sides.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <vector>

using namespace seam;
using namespace seam::detail;
using testing::run_epochs;
using testing::two_sides;

namespace {

using values = std::vector<std::int64_t>;

constexpr int block_length = 12; ///< elements along an edge
constexpr std::int64_t untouched = -7;

partitioned_buffer cut(values& buffer, int partitions) {
  return {buffer.data(), partitions, block_length / partitions, MPI_INT64_T};
}

elements first_block(values& buffer) { return {buffer.data(), block_length, MPI_INT64_T}; }

/// The values that a process sends, receives and should receive: blocks for and from all processes
/// of the other side.
struct buffers {
  explicit buffers(two_sides const& on)
      : sides(on), sent(std::size_t(on.remote * block_length)), got(sent), expected(sent) {}

  void expect_like(partitioned_operation& tested, collective const& plain) {
    run_epochs(
        tested, 6,
        [&](int epoch) {
          for (std::size_t k = 0; k < sent.size(); ++k)
            sent[k] = 100000 * (sides.rank + 1) + 1000 * epoch + std::int64_t(k);
          std::ranges::fill(got, untouched);
          std::ranges::fill(expected, untouched);
          run(sides.comm, plain);
        },
        [&](int) { CHECK(got == expected); });
  }

  two_sides const& sides;
  values sent, got, expected;
};

void run_rooted(two_sides const& sides, int root) {
  bool const is_root = root == MPI_ROOT, is_leaf = root >= 0;
  buffers data(sides);
  auto& [_, sent, got, expected] = data;

  auto gathered = pgather_init(sides.comm, cut(sent, 3), cut(got, 4), root);
  CHECK(gathered.num_leaving() == (is_leaf ? 3 : 0));
  CHECK(gathered.num_arriving() == (is_root ? 4 * sides.remote : 0));
  data.expect_like(gathered, gather(first_block(sent), first_block(expected), root));

  auto scattered = pscatter_init(sides.comm, cut(sent, 2), cut(got, 6), root);
  CHECK(scattered.num_leaving() == (is_root ? 2 * sides.remote : 0));
  data.expect_like(scattered, scatter(first_block(sent), first_block(expected), root));

  auto told = pbcast_init(sides.comm, cut(is_root ? sent : got, is_root ? 4 : 3), root);
  data.expect_like(told, bcast(first_block(is_root ? sent : expected), root));

  for (MPI_Op op : {MPI_SUM, MPI_MAX}) {
    int const partitions = is_root ? 4 : 3;
    auto reduced = preduce_init(sides.comm, cut(sent, partitions), cut(got, partitions), op, root);
    CHECK(reduced.num_leaving() == (is_leaf ? 3 : 0));
    CHECK(reduced.num_arriving() == (is_root ? 4 : 0));
    data.expect_like(reduced, reduce(first_block(sent), first_block(expected), op, root));
  }
}

void run_all(two_sides const& sides) {
  buffers data(sides);
  auto& [_, sent, got, expected] = data;

  auto gathered = pallgather_init(sides.comm, cut(sent, 3), cut(got, 2));
  data.expect_like(gathered, allgather(first_block(sent), first_block(expected)));

  auto turned = palltoall_init(sides.comm, cut(sent, 2), cut(got, 3));
  CHECK(turned.num_leaving() == 2 * sides.remote);
  CHECK(turned.num_arriving() == 3 * sides.remote);
  data.expect_like(turned, alltoall(first_block(sent), first_block(expected)));

  auto reduced = pallreduce_init(sides.comm, cut(sent, 3), cut(got, 3), MPI_SUM);
  data.expect_like(reduced, allreduce(first_block(sent), first_block(expected), MPI_SUM));
}

} // namespace

TEST_CASE("between two sides every partitioned collective gives the plain result") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  for (bool checked : {false, true}) {
    checks_in_scope const checks(checked);
    two_sides const sides(world);
    for (bool low_has_root : {true, false})
      run_rooted(sides, sides.root(low_has_root));
    run_all(sides);
  }
}

TEST_CASE("a partition arrives from the other side while others are not ready") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  two_sides const sides(world);
  buffers data(sides);
  auto const is_third = [](int partition) { return partition % 3 == 2; };
  auto sum = pallreduce_init(sides.comm, cut(data.sent, 3), cut(data.got, 3), MPI_SUM);
  testing::expect_early_arrival(world.view(), sum, 3, is_third);
  auto turn = palltoall_init(sides.comm, cut(data.sent, 3), cut(data.got, 3));
  testing::expect_early_arrival(world.view(), turn, 3, is_third);
}

TEST_CASE("calls between two sides that do not fit together are the same line on all ranks") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  two_sides const sides(world);
  buffers data(sides);
  int const root = sides.root(true);
  auto const whole = cut(data.sent, 1);
  using Catch::Contains;
  auto const fitting = Contains("expected the same at both ends");
  // No process is the root, or both sides have one.
  CHECK_THROWS_WITH(pbcast_init(sides.comm, whole, 0), fitting);
  int const own = sides.comm.rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
  CHECK_THROWS_WITH(pgather_init(sides.comm, whole, whole, own), fitting);
  CHECK_THROWS_WITH(preduce_init(sides.comm, whole, whole, MPI_SUM, 0), fitting);
  CHECK_THROWS_WITH(pbcast_init(sides.comm, whole, -100), Contains("root -100"));
  partitioned_buffer const shorter{data.sent.data(), 1, sides.low ? 2 : 3, MPI_INT64_T};
  CHECK_THROWS_WITH(pbcast_init(sides.comm, shorter, root), fitting);
  partitioned_buffer const room{data.got.data(), 1, block_length, MPI_INT64_T};
  CHECK_THROWS_WITH(pallgather_init(sides.comm, shorter, room), fitting);
  // Leaves that cut their values in different ways.
  if (world.size() > 3)
    CHECK_THROWS_WITH(preduce_init(sides.comm, cut(data.sent, sides.comm.rank() == 1 ? 3 : 2),
                                   whole, MPI_SUM, root),
                      Contains("as on other ranks of this side"));
  CHECK_THROWS_WITH(pallreduce_init(sides.comm, cut(data.sent, sides.low ? 2 : 3),
                                    cut(data.got, sides.low ? 2 : 3), MPI_SUM),
                    Contains("expected the same on all ranks"));
  auto const refused = Contains("has no meaning on a bipartite communicator");
  CHECK_THROWS_WITH(pscan_init(sides.comm, whole, whole, MPI_SUM), refused);
  CHECK_THROWS_WITH(preduce_scatter_block_init(sides.comm, whole, whole, MPI_SUM), refused);
  partitioned_buffer const in_place{MPI_IN_PLACE, 1, block_length, MPI_INT64_T};
  CHECK_THROWS_WITH(palltoall_init(sides.comm, in_place, whole), Contains("MPI_IN_PLACE"));
}
