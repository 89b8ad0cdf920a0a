// All messages of seam fit into the tags that every MPI library has. The program intercepts calls
// of MPI, reports no more tags than these, and notes the tags that are used.
#include <seam/c/partitioned.h>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/world.hpp>

#include <atomic>
#include <span>
#include <vector>

namespace {

constexpr int largest_of_all_mpis = 32767;
int lowered_limit = largest_of_all_mpis;
std::atomic<int> largest_seen = 0;

void note(int tag) {
  int seen = largest_seen.load();
  while (tag > seen && !largest_seen.compare_exchange_weak(seen, tag)) {
  }
}

} // namespace

extern "C" {

int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found) {
  int const code = PMPI_Comm_get_attr(comm, key, value, found);
  if (key == MPI_TAG_UB)
    *static_cast<int**>(value) = &lowered_limit;
  return code;
}
int MPI_Isend(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  note(tag);
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}
int MPI_Issend(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  note(tag);
  return PMPI_Issend(from, count, type, to, tag, comm, request);
}
int MPI_Send(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  note(tag);
  return PMPI_Send(from, count, type, to, tag, comm);
}
int MPI_Send_init(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  note(tag);
  return PMPI_Send_init(from, count, type, to, tag, comm, request);
}
int MPI_Irecv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  note(tag);
  return PMPI_Irecv(into, count, type, from, tag, comm, request);
}
int MPI_Recv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  note(tag);
  return PMPI_Recv(into, count, type, from, tag, comm, status);
}
int MPI_Recv_init(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  note(tag);
  return PMPI_Recv_init(into, count, type, from, tag, comm, request);
}
int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                MPI_Status* status) {
  note(tag);
  return PMPI_Improbe(from, tag, comm, found, message, status);
}
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  note(tag);
  return PMPI_Iprobe(from, tag, comm, found, status);
}

} // extern "C"

using namespace seam;
using namespace seam::detail;

namespace {

using values = std::vector<std::int64_t>;

/// The neighbors of this process in a ring.
struct ring {
  explicit ring(Communicator const& over)
      : next((over.rank() + 1) % over.size()),
        before((over.rank() + over.size() - 1) % over.size()) {}
  int next, before;
};

/// Epochs of a channel from each process to the next.
void expect_ring(Communicator const& over, int partitions, int tag) {
  ring const on(over);
  auto const length = static_cast<std::size_t>(partitions);
  values out(length), in(length);
  auto send = psend_init(over, in_partitions(out, partitions), on.next, tag);
  auto receive = precv_init(over, in_partitions(in, partitions), on.before, tag);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (std::size_t k = 0; k < length; ++k)
      out[k] = over.rank() * 1000 + epoch * 100 + static_cast<int>(k);
    receive.start();
    send.start();
    for (int p = partitions - 1; p >= 0; --p)
      send.ready(p);
    receive.wait();
    send.wait();
    CHECK(in.front() == on.before * 1000 + epoch * 100);
    CHECK(in.back() == on.before * 1000 + epoch * 100 + partitions - 1);
  }
}

void expect_sum(Communicator const& over, int partitions) {
  auto const length = static_cast<std::size_t>(partitions);
  values in(length, over.rank() + 1), out(length);
  auto sum =
      pallreduce_init(over, in_partitions(in, partitions), in_partitions(out, partitions), MPI_SUM);
  sum.start();
  sum.ready_range(0, partitions - 1);
  sum.wait();
  CHECK(out == values(length, over.size() * (over.size() + 1) / 2));
}

/// Runs `act` by messages, and by the node's memory.
template <class Act>
void both_ways(Act act) {
  bool const before = shared_memory_is_on();
  for (bool const is_on : {false, true}) {
    shared_memory_in_scope const choice(is_on && before);
    act();
  }
}

} // namespace

TEST_CASE("partitioned operations fit into the tags of every MPI library") {
  auto const world = testing::world();
  both_ways([&] {
    auto const over = world.dup();
    for (int const tag : {0, 7, largest_of_all_mpis, 1 << 30})
      expect_ring(over, 33, tag);
    expect_ring(over, 5000, 1);
    for (int const partitions : {1, 9, 9000, 9000})
      expect_sum(over, partitions);
    auto const size = static_cast<std::size_t>(over.size());
    values in(64 * size), out(64 * size);
    for (std::size_t k = 0; k < in.size(); ++k)
      in[k] = over.rank() * 10'000 + static_cast<int>(k);
    auto turn =
        palltoall_init(over, {in.data(), 64, 1, MPI_INT64_T}, {out.data(), 64, 1, MPI_INT64_T});
    testing::run_epochs(
        turn, 3, [&](int) { std::ranges::fill(out, -1); },
        [&](int) {
          for (std::size_t k = 0; k < out.size(); ++k)
            CHECK(out[k] ==
                  static_cast<int>(k) / 64 * 10'000 + over.rank() * 64 + static_cast<int>(k) % 64);
        });
  });
  CHECK(largest_seen.load() <= largest_of_all_mpis);
}

TEST_CASE("partitioned messages in a program's own communicator fit, too") {
  auto const world = testing::world();
  ring const on(world);
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  both_ways([&] {
    int const out[4] = {world.rank(), 1, 2, 3};
    int in[4] = {-1, -1, -1, -1}, plain = -1;
    MPIX_Request both[2];
    MPIX_Psend_init(out, 4, 1, MPI_INT, on.next, 3, own, MPI_INFO_NULL, &both[0]);
    MPIX_Precv_init(in, 2, 2, MPI_INT, on.before, 3, own, MPI_INFO_NULL, &both[1]);
    MPIX_Startall(2, both);
    MPI_Sendrecv(&out[0], 1, MPI_INT, on.next, 3, &plain, 1, MPI_INT, on.before, 3, own,
                 MPI_STATUS_IGNORE);
    MPIX_Pready_range(0, 3, both[0]);
    MPIX_Waitall(2, both, MPI_STATUSES_IGNORE);
    CHECK(in[0] == on.before);
    CHECK(in[3] == 3);
    CHECK(plain == on.before);
    MPIX_Request_free(&both[0]);
    MPIX_Request_free(&both[1]);
  });
  MPI_Comm_free(&own);
  CHECK(largest_seen.load() <= largest_of_all_mpis);
}

TEST_CASE("tags come back when channels end, and their number has its line") {
  auto const world = testing::world();
  auto const over = world.dup();
  ring const on(over);
  for (int k = 0; k < 25; ++k)
    expect_ring(over, 500, k % 3);
  std::int64_t out = over.rank(), in = -1;
  std::vector<partitioned_operation> sends, receives;
  std::string line;
  while (line.empty() && sends.size() < 5000)
    try {
      sends.push_back(psend_init(over, {&out, 1, 1, MPI_INT64_T}, on.next, 4));
    } catch (usage_error const& problem) {
      line = problem.what();
    }
  CHECK_THAT(line, Catch::Contains("no tag is left for one more partitioned channel to rank") &&
                       Catch::Contains("the largest tag of the MPI library is 32767"));
  CHECK(sends.size() > 400);
  for (std::size_t k = 0; k < sends.size(); ++k)
    receives.push_back(precv_init(over, {&in, 1, 1, MPI_INT64_T}, on.before, 4));
  for (std::size_t k = 0; k < sends.size(); ++k) {
    receives[k].start();
    sends[k].start();
    sends[k].ready(0);
    receives[k].wait();
    sends[k].wait();
  }
  CHECK(in == on.before);
  sends.clear();
  receives.clear();
  expect_ring(over, 500, 4);
  CHECK(largest_seen.load() <= largest_of_all_mpis);
}

TEST_CASE("a collective that has found no tags leaves the next one alone") {
  auto const world = testing::world();
  if (world.size() == 1) // without edges it needs none
    return;
  shared_memory_in_scope const off(false);
  auto const over = world.dup();
  values in(12 * std::size_t(over.size())), out(in.size());
  auto const turn = [&](int partitions) {
    partitioned_buffer const from{in.data(), partitions, 12 / partitions, MPI_INT64_T};
    return palltoall_init(over, from, {out.data(), partitions, 12 / partitions, MPI_INT64_T});
  };
  std::vector<partitioned_operation> messages;
  while (over.rank() == 0 && messages.size() < 5000)
    try {
      messages.push_back(psend_init(over, in_partitions(in, 1), 1, 0));
    } catch (usage_error const&) {
      break;
    }
  CHECK_THROWS_WITH(turn(2), Catch::Contains("no tag is left"));
  // Tags come back from channels whose ends have met.
  auto count = static_cast<int>(messages.size());
  mpi::bcast(over, std::span(&count, 1), 0);
  for (int k = 0; over.rank() == 1 && k < count; ++k)
    messages.push_back(precv_init(over, in_partitions(out, 1), 0, 0));
  for (partitioned_operation& each : messages) {
    each.start();
    if (over.rank() == 0)
      each.ready(0);
    each.wait();
  }
  messages.clear();
  auto next = turn(4);
  testing::run_epochs(
      next, 2,
      [&](int epoch) {
        for (std::size_t k = 0; k < in.size(); ++k)
          in[k] = 1000 * epoch + 100 * over.rank() + static_cast<int>(k) / 12;
      },
      [&](int epoch) {
        for (std::size_t k = 0; k < out.size(); ++k)
          CHECK(out[k] == 1000 * epoch + 100 * (static_cast<int>(k) / 12) + over.rank());
      });
}

TEST_CASE("collectives and sparse exchanges fit, in all their forms") {
  auto const world = testing::world();
  both_ways([&] {
    auto const over = world.dup();
    ring const on(over);
    auto const graph = make_graph(over, Topology::graph({{on.before}}, {{on.next}}));
    values in(3, over.rank()), out(3);
    auto const turn = alltoall(in, out);
    run(graph, turn);
    CHECK(out == values(3, on.before));
    start(graph, turn).wait();
    auto prepared = prepare(graph, turn);
    for (int k = 0; k < 3; ++k)
      prepared.run();
    SparseExchange sparse(over);
    for (int k = 0; k < 6; ++k) {
      sparse.pack(on.next, k);
      sparse.exchange();
      while (sparse.receive())
        CHECK(sparse.unpack<int>() == k);
    }
  });
  CHECK(largest_seen.load() <= largest_of_all_mpis);
}
