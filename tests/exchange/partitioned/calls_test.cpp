// The calls of MPI that partitioned operations make: collective ones when they are made, messages
// in an epoch.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace seam;
using namespace seam::detail;
using testing::calls_of;

namespace {

/// A clock for the thread that marks, on which only sends take time, one microsecond each: whether
/// partitions become ready together then does not depend on the load of the machine.
thread_local timespec clock_stopped_at{};
thread_local bool clock_stands = false;

timespec with_sends_of(timespec const& begin, long sends) {
  constexpr long second = 1'000'000'000, send = 1'000;
  long const fraction = begin.tv_nsec + sends * send;
  return {begin.tv_sec + fraction / second, fraction % second};
}

} // namespace

extern "C" int clock_gettime(clockid_t which, timespec* now) noexcept {
  if (clock_stands && which == CLOCK_MONOTONIC)
    *now = with_sends_of(clock_stopped_at, testing::num_sends);
  else
    return static_cast<int>(syscall(SYS_clock_gettime, which, now));
  return 0;
}

// Calls that message_counter.hpp does not count.
extern "C" {
int MPI_Allgather(void const* from, int sent, MPI_Datatype from_type, void* into, int received,
                  MPI_Datatype into_type, MPI_Comm comm) {
  ++seam::testing::num_collectives;
  return PMPI_Allgather(from, sent, from_type, into, received, into_type, comm);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  ++seam::testing::num_collectives;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* memory,
                            MPI_Win* made) {
  ++seam::testing::num_collectives;
  return PMPI_Win_allocate_shared(bytes, unit, info, comm, memory, made);
}
}

namespace {

using values = std::vector<std::int64_t>;

/// Turns the node's memory off until the end of the scope.
class by_messages {
public:
  by_messages() { set_shared_memory(false); }
  by_messages(by_messages const&) = delete;
  by_messages& operator=(by_messages const&) = delete;
  ~by_messages() { set_shared_memory(before_); }

private:
  bool before_ = shared_memory_is_on();
};

using maker = std::function<partitioned_operation(Communicator const& over, values& in, values& out,
                                                  int partitions)>;

/// The number of collective calls that making an operation of `partitions` takes.
long collectives_of(Communicator const& over, maker const& make, int partitions) {
  auto const length = static_cast<std::size_t>(over.size() * partitions);
  values in(length, 1), out(length);
  return calls_of([&] { auto const made = make(over, in, out, partitions); }).collectives;
}

/// The send calls of an epoch in which partitions are marked one by one, in a loop.
long sends_of_epoch(partitioned_operation& tested) {
  return calls_of([&] {
           tested.start();
           clock_gettime(CLOCK_MONOTONIC, &clock_stopped_at);
           clock_stands = true;
           for (int p = 0; p < tested.num_leaving(); ++p)
             tested.ready(p);
           clock_stands = false;
           tested.wait();
         })
      .sends;
}

} // namespace

TEST_CASE("a partitioned reduction is made by as many collective calls whatever its partitions") {
  auto const world = testing::world();
  auto const in_order = [](values& of, int partitions) {
    return partitioned_buffer{of.data(), partitions, 1, MPI_INT64_T};
  };
  std::array<maker, 3> const makers{
      [&](auto const& over, values& in, values& out, int partitions) {
        return pallreduce_init(over, in_order(in, partitions), in_order(out, partitions), MPI_SUM);
      },
      [&](auto const& over, values& in, values& out, int partitions) {
        return pscan_init(over, in_order(in, partitions), in_order(out, partitions), MPI_SUM);
      },
      [&](auto const& over, values& in, values& out, int partitions) {
        return preduce_scatter_block_init(over, in_order(in, partitions), in_order(out, partitions),
                                          MPI_SUM);
      }};
  constexpr int few = 2, many = 300;
  for (maker const& make : makers) {
    collectives_of(world, make, many); // afterwards there is enough memory
    long const with_few = collectives_of(world, make, few);
    CHECK(collectives_of(world, make, many) == with_few);
    CHECK(with_few < 40);
  }
}

TEST_CASE("partitions that are marked in a loop leave together from a collective as from a psend") {
  by_messages const here;
  auto const world = testing::world();
  if (world.size() == 1)
    return;
  constexpr int partitions = 16, epochs = 200;
  values in(partitions), out(static_cast<std::size_t>(partitions * world.size())), room(partitions);
  auto collect = pallgather_init(world, in_partitions(in, partitions),
                                 {out.data(), partitions, 1, MPI_INT64_T});
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  auto send = psend_init(world, in_partitions(in, partitions), next, 0);
  auto receive = precv_init(world, in_partitions(room, partitions), before, 0);
  int together = 0, collected_together = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    receive.start();
    together += sends_of_epoch(send) == 1 ? 1 : 0;
    receive.wait();
    int const others = world.size() - 1;
    collected_together += sends_of_epoch(collect) == others ? 1 : 0;
  }
  // An epoch splits if this thread is interrupted between two marks; most are not.
  CHECK(together > epochs / 2);
  CHECK(collected_together > epochs / 2);
}

TEST_CASE("more partitions than there may be messages share them, and no more can be asked for") {
  by_messages const here;
  auto const world = testing::world();
  constexpr int partitions = 10'000, most = 4092;
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  values out(partitions), in(partitions, -1);
  CHECK_THROWS_WITH(
      psend_init(world, in_partitions(out, partitions), next, 0, {.messages = most + 1}),
      Catch::Contains("psend_init: 10000 partitions in 4093 messages (expected at most 4092)"));
  CHECK_THROWS_WITH(
      pallgather_init(world, {out.data(), partitions, 1, MPI_BYTE},
                      {in.data(), partitions, 1, MPI_BYTE}, {.messages = most + 1}),
      Catch::Contains(
          "pallgather_init: 10000 partitions in 4093 messages (expected at most 4092)"));
  auto send = psend_init(world, in_partitions(out, partitions), next, 0, {.messages = most});
  auto receive = precv_init(world, in_partitions(in, partitions), before, 0);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int p = 0; p < partitions; ++p)
      out[p] = world.rank() * 100'000 + epoch * 20'000 + p;
    receive.start();
    CHECK(sends_of_epoch(send) <= most + 1 + 2); // and the hello and answer of the two ends
    receive.wait();
    for (int p = 0; p < partitions; ++p)
      REQUIRE(in[p] == before * 100'000 + epoch * 20'000 + p);
  }
}

TEST_CASE("memory that is received into lies apart from all other, which checked mode finds out") {
  checks_in_scope const on(true);
  auto const world = testing::world();
  auto const size = static_cast<std::size_t>(world.size());
  int const others = world.size();
  values both(8 * size + 8), out(8 * size);
  constexpr auto* overlap = "(expected memory apart)";
  CHECK_THROWS_WITH(pallreduce_init(world, {both.data(), 4, 1, MPI_INT64_T},
                                    {both.data() + 3, 4, 1, MPI_INT64_T}, MPI_SUM),
                    Catch::Contains("pallreduce_init: 8 bytes of") && Catch::Contains(overlap));
  CHECK_THROWS_WITH(palltoall_init(world, {both.data(), 4, 1, MPI_INT64_T},
                                   {both.data() + 4 * others - 1, 2, 2, MPI_INT64_T}),
                    Catch::Contains("palltoall_init") && Catch::Contains(overlap));
  if (world.size() > 1) {
    std::vector<partitioned_buffer> rooms(size, {both.data(), 2, 1, MPI_INT64_T});
    CHECK_THROWS_WITH(pallgatherw_init(world, {out.data(), 2, 1, MPI_INT64_T}, rooms),
                      Catch::Contains("16 bytes of") && Catch::Contains(overlap));
  }
  // Buffers beside each other, interleaved, and read twice.
  CHECK_NOTHROW(pallreduce_init(world, {both.data(), 4, 1, MPI_INT64_T},
                                {both.data() + 4, 4, 1, MPI_INT64_T}, MPI_SUM));
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, 2, MPI_INT64_T, &every_second);
  MPI_Type_commit(&every_second);
  CHECK_NOTHROW(pallreduce_init(world, {both.data(), 1, 4, MPI_INT64_T},
                                {both.data() + 4, 1, 4, MPI_INT64_T}, MPI_SUM));
  CHECK_NOTHROW(pbcast_init(world, {both.data(), 1, 1, every_second}, 0));
  std::vector<partitioned_buffer> const same(size, {out.data(), 1, 1, every_second});
  std::vector<partitioned_buffer> apart;
  for (std::size_t k = 0; k < size; ++k)
    apart.push_back({both.data() + 8 * (k / 2) + k % 2, 1, 1, every_second});
  CHECK_NOTHROW(palltoallw_init(world, same, apart));
  MPI_Type_free(&every_second);
}
