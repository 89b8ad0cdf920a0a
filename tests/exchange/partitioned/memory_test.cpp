// Partitions inside a node travel through shared memory: from the user's buffer if that is shared,
// otherwise from slots, and without calls of MPI once both ends have met.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/partitioned.hpp>
#include <support/world.hpp>

#include <optional>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using values = std::vector<std::int64_t>;

/// A message to the next rank and one from the rank before; both buffers in shared memory.
struct ring {
  explicit ring(std::int64_t count) : length(count) {}

  Communicator world = testing::world();
  int rank = world.rank(), size = world.size();
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::int64_t length;
  std::shared_ptr<std::int64_t[]> from = allocate<std::int64_t>(world, length),
                                  into = allocate<std::int64_t>(world, length);

  static std::int64_t value_of(int of, int epoch, std::int64_t k) {
    return 1'000'000'000LL * of + 1'000'000LL * epoch + k;
  }
  void write(std::int64_t* at, int epoch) const {
    for (std::int64_t k = 0; k < length; ++k)
      at[k] = value_of(rank, epoch, k);
  }
  std::int64_t num_wrong(std::int64_t const* at, int epoch) const {
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < length; ++k)
      wrong += at[k] == value_of(before, epoch, k) ? 0 : 1;
    return wrong;
  }
};

partitioned_buffer in_parts(std::int64_t* data, std::int64_t length, int partitions) {
  return {data, partitions, length / partitions, MPI_INT64_T};
}

/// Messages of a process to itself, where it is alone on its node, are sent by MPI.
void check_silence(testing::mpi_calls const& calls, int size) {
  if (size == 1)
    return;
  CHECK(calls.sends == 0);
  CHECK(calls.receives == 0);
  CHECK(calls.collectives == 0);
}

} // namespace

TEST_CASE("partitions of all lengths arrive without a call of MPI") {
  auto const length = GENERATE(std::int64_t{561}, std::int64_t{5610}, std::int64_t{112200});
  auto const [sent, received] =
      GENERATE(std::pair(33, 17), std::pair(17, 33), std::pair(1, 51), std::pair(51, 1));
  ring const on(length);
  values own(std::size_t(length), 0); // which no other process can read
  bool const is_lent = GENERATE(true, false) || length * 8 > (64 << 10);
  std::int64_t* const from = is_lent ? on.from.get() : own.data();
  auto out = psend_init(on.world, in_parts(from, length, sent), on.next, 0);
  auto in = precv_init(on.world, in_parts(on.into.get(), length, received), on.before, 0);
  std::mt19937 random(7);
  auto const run_epoch = [&](int epoch) {
    on.write(from, epoch);
    std::fill_n(on.into.get(), length, -1);
    in.start();
    out.start();
    for (int p : testing::shuffled(sent, random))
      out.ready(p);
    if (epoch % 2 == 0)
      for (int p : testing::shuffled(received, random))
        testing::wait_until_arrived(in, p);
    out.wait();
    in.wait();
    CHECK(on.num_wrong(on.into.get(), epoch) == 0);
  };
  run_epoch(0); // an epoch in which the ends meet
  mpi::barrier(on.world);
  auto const calls = testing::calls_of([&] {
    for (int epoch = 1; epoch < 8; ++epoch)
      run_epoch(epoch);
  });
  check_silence(calls, on.size);
}

TEST_CASE("communicators of the same processes know their node") {
  ring const on(96);
  auto const copy = on.world.dup();
  auto const graph = make_graph(on.world, Topology::graph({{on.before}}, {{on.next}}));
  auto const base = graph.base();
  for (auto const* over : {&copy, &graph, &base}) {
    CHECK(over->known_node() == on.world.known_node());
    auto out = psend_init(*over, in_parts(on.from.get(), 96, 3), on.next, 0);
    auto in = precv_init(*over, in_parts(on.into.get(), 96, 4), on.before, 0);
    auto const run_epoch = [&](int epoch) {
      on.write(on.from.get(), epoch);
      in.start();
      out.start();
      out.ready_range(0, 2);
      out.wait();
      in.wait();
      CHECK(on.num_wrong(on.into.get(), epoch) == 0);
    };
    run_epoch(0);
    mpi::barrier(on.world);
    check_silence(testing::calls_of([&] { run_epoch(1); }), on.size);
  }
}

TEST_CASE(
    "two ends find memory that their processes share, whatever communicator they are made on") {
  ring const on(96);
  auto const stranger = testing::world();
  CHECK(stranger.known_node() == nullptr);
  auto out = psend_init(stranger, in_parts(on.from.get(), 96, 3), on.next, 0);
  auto in = precv_init(stranger, in_parts(on.into.get(), 96, 4), on.before, 0);
  auto const run_epoch = [&](int epoch) {
    on.write(on.from.get(), epoch);
    in.start();
    out.start();
    out.ready_range(0, 2);
    out.wait();
    in.wait();
    CHECK(on.num_wrong(on.into.get(), epoch) == 0);
  };
  run_epoch(0);
  mpi::barrier(stranger);
  check_silence(testing::calls_of([&] { run_epoch(1); }), on.size);
}

TEST_CASE("long strided partitions are packed for their receiver") {
  constexpr std::int64_t rows = 600, columns = 30;
  ring const on(rows * columns);
  MPI_Datatype column = MPI_DATATYPE_NULL, columns_apart = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, columns, MPI_INT64_T, &column);
  MPI_Type_create_resized(column, 0, sizeof(std::int64_t), &columns_apart);
  MPI_Type_commit(&columns_apart);
  auto out = psend_init(on.world, {on.from.get(), 15, 2, columns_apart}, on.next, 0);
  auto in = precv_init(on.world, {on.into.get(), 10, 3, columns_apart}, on.before, 0);
  for (int epoch = 0; epoch < 5; ++epoch) {
    on.write(on.from.get(), epoch);
    in.start();
    out.start();
    for (int p = 14; p >= 0; --p)
      out.ready(p);
    out.wait();
    in.wait();
    CHECK(on.num_wrong(on.into.get(), epoch) == 0);
  }
  MPI_Type_free(&column);
  MPI_Type_free(&columns_apart);
}

TEST_CASE("a sender of short epochs may be one ahead, and gone") {
  ring const on(64);
  if (on.size == 1)
    return; // by messages, which MPICH completes with their receives
  auto in = precv_init(on.world, in_parts(on.into.get(), 64, 4), on.before, 0);
  {
    auto out = psend_init(on.world, in_parts(on.from.get(), 64, 8), on.next, 0);
    for (int epoch = 0; epoch < 9; ++epoch) {
      on.write(on.from.get(), epoch);
      out.start();
      out.ready_range(0, 7);
      out.wait(); // epoch 0 waits only until both ends know each other
      if (epoch == 8)
        break;
      in.start();
      in.wait();
      CHECK(on.num_wrong(on.into.get(), epoch) == 0);
    }
  }
  auto other = psend_init(on.world, in_parts(on.from.get(), 64, 8), MPI_PROC_NULL, 0);
  values noise(64, -7);
  auto more = psend_init(on.world, in_partitions(noise, 8), on.next, 1); // in other memory
  in.start();
  in.wait();
  CHECK(on.num_wrong(on.into.get(), 8) == 0);
  mpi::barrier(on.world);
}

TEST_CASE("a lent buffer belongs to the receiver until that has taken all of it") {
  ring const on(4096);
  if (on.size == 1)
    return;
  auto out = psend_init(on.world, in_parts(on.from.get(), 4096, 4), on.next, 0);
  auto in = precv_init(on.world, in_parts(on.into.get(), 4096, 4), on.before, 0);
  for (int epoch = 0; epoch < 3; ++epoch) {
    on.write(on.from.get(), epoch);
    out.start();
    out.ready_range(0, 3);
    for (int look = 0; look < 100; ++look)
      CHECK_FALSE(out.test()); // the receiver has not started
    mpi::barrier(on.world);
    in.start();
    out.wait();
    in.wait();
    CHECK(on.num_wrong(on.into.get(), epoch) == 0);
  }
}

TEST_CASE("collectives and reductions need no MPI either") {
  auto const world = testing::world();
  int const size = world.size();
  std::int64_t const each = GENERATE(std::int64_t{10}, std::int64_t{3000});
  auto const length = 2 * each;
  auto const out = allocate<std::int64_t>(world, length * size);
  auto const in = allocate<std::int64_t>(world, length * size);
  auto all =
      palltoall_init(world, {out.get(), 2, each, MPI_INT64_T}, {in.get(), 2, each, MPI_INT64_T});
  values sum_out(std::size_t(length), 0), sum_in(std::size_t(length), 0);
  auto sum = pallreduce_init(world, in_partitions(sum_out, 2), in_partitions(sum_in, 2), MPI_SUM);
  auto const run_epoch = [&](int epoch) {
    for (std::int64_t k = 0; k < length * size; ++k)
      out[k] = ring::value_of(world.rank(), epoch, k);
    std::ranges::fill(sum_out, world.rank() + epoch);
    all.start();
    sum.start();
    sum.ready(1);
    all.ready_range(0, all.num_leaving() - 1);
    sum.ready(0);
    all.wait();
    sum.wait();
    bool right = true;
    for (int source = 0; source < size; ++source)
      for (std::int64_t k = 0; k < length; ++k)
        right = right &&
                in[source * length + k] == ring::value_of(source, epoch, world.rank() * length + k);
    CHECK(right);
    CHECK(sum_in == values(std::size_t(length), size * (size - 1) / 2 + size * epoch));
  };
  run_epoch(0);
  mpi::barrier(world);
  auto const calls = testing::calls_of([&] {
    for (int epoch = 1; epoch < 6; ++epoch)
      run_epoch(epoch);
  });
  check_silence(calls, size);
}
