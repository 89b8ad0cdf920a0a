// More bytes than an int can count, in one block and in many, by messages and by shared memory.
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr std::int64_t count = (std::int64_t{1} << 28) + 12345; // of doubles: 2 GiB and some more

/// An edge from rank 0 to rank 1.
Communicator make_pair(Communicator const& world) {
  return make_graph(world,
                    world.rank() == 0 ? Topology::graph({}, {{1}}) : Topology::graph({{0}}, {}));
}

constexpr std::int64_t num_bytes = (std::int64_t{1} << 31) + 12345; // more than an int counts

/// Bytes that are 0. They take no memory before they are written.
class zeros {
public:
  explicit zeros(std::int64_t length)
      : bytes_(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(length), 1))),
        length_(length) {
    REQUIRE(bytes_ != nullptr);
  }
  std::span<std::uint8_t> all() const { return {bytes_.get(), std::size_t(length_)}; }

private:
  struct deleter {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t, deleter> bytes_;
  std::int64_t length_;
};

/// First, middle and last are not 0.
zeros values_of(int rank) {
  zeros values(num_bytes);
  auto const all = values.all();
  for (std::size_t at : {std::size_t{0}, all.size() / 2, all.size() - 1})
    all[at] = static_cast<std::uint8_t>(10 + rank);
  return values;
}

} // namespace

TEST_CASE("a block of more than 2 GiB arrives whole in messages") {
  shared_memory_in_scope const off(false);
  auto const world = testing::world();
  int const rank = world.rank();
  Communicator const pair = make_pair(world);
  std::vector<double> values(count, rank == 0 ? 1.5 : 0.0);
  if (rank == 0)
    values.front() = 2.5, values.back() = 3.5;
  run(pair, bcast(values, 0));
  CHECK(values.front() == 2.5);
  CHECK(values[values.size() / 2] == 1.5);
  CHECK(values.back() == 3.5);
}

TEST_CASE("a block of more than 2 GiB is read from where it lies in shared memory") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const storage = allocate<double>(world, count);
  std::span const values(storage.get(), static_cast<std::size_t>(count));
  std::ranges::fill(values, world.rank() == 0 ? 1.5 : 0.0);
  if (world.rank() == 0)
    values.front() = 2.5, values.back() = 3.5;
  prepare(make_pair(world), bcast(values, 0)).run();
  CHECK(values.front() == 2.5);
  CHECK(values[values.size() / 2] == 1.5);
  CHECK(values.back() == 3.5);
}

TEST_CASE("a scan of more elements than an int counts") {
  auto const world = testing::world();
  zeros const values = values_of(world.rank());
  elements const all = elements_of(values.all());
  run(world, scan({MPI_IN_PLACE, 0, all.type}, all, MPI_SUM));
  int const expected = world.rank() == 0 ? 10 : 21;
  CHECK(values.all().front() == expected);
  CHECK(values.all()[values.all().size() / 2] == expected);
  CHECK(values.all()[std::size_t{1} << 30] == 0);
  CHECK(values.all().back() == expected);
}

TEST_CASE("an exclusive scan of more elements than an int counts, by messages") {
  shared_memory_in_scope const off(false);
  auto const world = testing::world();
  zeros const values = values_of(world.rank()), before(num_bytes);
  prepare(world, exscan(values.all(), before.all(), std::plus<>())).run();
  int const expected = world.rank() == 0 ? 0 : 10;
  CHECK(before.all().front() == expected);
  CHECK(before.all()[before.all().size() / 2] == expected);
  CHECK(before.all().back() == expected);
}

TEST_CASE("a reduce-scatter of more elements together than an int counts") {
  auto const world = testing::world();
  zeros const values = values_of(world.rank());
  std::vector<int> const counts{int(num_bytes / 2), int(num_bytes - num_bytes / 2)};
  auto const count = counts[world.rank()];
  {
    shared_memory_in_scope const off(false);
    zeros const block(count);
    start(world, reduce_scatter(values.all(), block.all(), counts, std::plus<>())).wait();
    CHECK(block.all().front() == 21);
    CHECK(block.all().back() == (world.rank() == 0 ? 0 : 21));
  }
  zeros const block(std::int64_t{1} << 30);
  run(world,
      reduce_scatter_block(values.all().first(std::size_t{1} << 31), block.all(), std::plus<>()));
  std::int64_t const place = world.rank() == 0 ? 0 : num_bytes / 2 - (std::int64_t{1} << 30);
  CHECK(block.all()[place] == 21);
  CHECK(block.all()[place + 1] == 0);
}
