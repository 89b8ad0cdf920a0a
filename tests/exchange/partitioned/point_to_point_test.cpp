// Partitioned messages between two processes: partitions of all shapes arrive alone and whole,
// ends match in the order of their making, and misuse is named.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using values = std::vector<std::int64_t>;

/// A message to the next rank and one from the rank before, in a world of any size.
struct ring {
  Communicator world = testing::world();
  std::shared_ptr<double[]> memory =
      allocate<double>(world, 1); // the rest of the segment is for messages
  int rank = world.rank(), size = world.size();
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
};

values values_of(int rank, int epoch, std::size_t length) {
  values all(length);
  std::iota(all.begin(), all.end(), 100000 * rank + 1000 * epoch);
  return all;
}

/// Fills a buffer with new values, without moving it.
void fill(values& buffer, values const& with) { std::ranges::copy(with, buffer.begin()); }

void wait_until_arrived(partitioned_operation& in, int partition) {
  for (patience wait; !in.arrived(partition); wait.pause()) {
  }
}

/// Sends to an end of another length; both ends say so, and are closed.
void refuse_ends_of_different_length(ring const& on) {
  values from(6), into(5);
  auto out = psend_init(on.world, in_partitions(from, 3), on.next, 0);
  auto in = precv_init(on.world, in_partitions(into, 5), on.before, 0);
  out.start();
  in.start();
  out.ready_range(0, 2);
  CHECK_THROWS_WITH(out.wait(),
                    Catch::Contains(fmt::format("psend_init to rank {}, tag 0: 48 bytes in 3 "
                                                "partitions of 16 bytes, and the other end has 40 "
                                                "bytes in 5 partitions of 8 bytes",
                                                on.next)));
  CHECK_THROWS_WITH(in.wait(), Catch::Contains(fmt::format(
                                   "precv_init from rank {}, tag 0: 40 bytes", on.before)));
  out.close();
  in.close();
}

} // namespace

TEST_CASE("partitions arrive whole, whatever their number and size on both sides") {
  ring const on;
  struct shape {
    int sent, received;
  };
  auto const [sent, received] = GENERATE(shape{1, 1}, shape{33, 17}, shape{17, 33}, shape{561, 1},
                                         shape{1, 561}, shape{3, 187}, shape{561, 561});
  constexpr std::size_t length = 561;
  auto const fixed = GENERATE(std::optional<int>(), std::optional<int>(1), std::optional<int>(2),
                              std::optional<int>(7));
  values from(length), into(length);
  auto out = psend_init(on.world, in_partitions(from, sent), on.next, 3, {fixed});
  auto in = precv_init(on.world, in_partitions(into, received), on.before, 3);
  std::mt19937 random(5);
  std::vector<int> order(std::size_t(sent), 0);
  std::iota(order.begin(), order.end(), 0);
  for (int epoch = 0; epoch < 6; ++epoch) {
    std::ranges::shuffle(order, random);
    std::ranges::fill(from, -1);
    std::ranges::fill(into, -2);
    in.start();
    out.start();
    auto const now = values_of(on.rank, epoch, length);
    auto const each = std::ptrdiff_t(length) / sent;
    for (int p : order) {
      std::copy_n(now.begin() + p * each, each, from.begin() + p * each);
      out.ready(p);
    }
    if (epoch % 2 == 0)
      for (int p = received - 1; p >= 0; --p) {
        wait_until_arrived(in, p);
        CHECK(in.arrived(p));
      }
    out.wait();
    in.wait();
    CHECK(into == values_of(on.before, epoch, length));
    CHECK(in.arrived(0));
  }
}

TEST_CASE("a partition that is ready alone arrives alone, in every epoch") {
  ring const on;
  constexpr int partitions = 70;
  values from(140), into(140);
  auto out = psend_init(on.world, in_partitions(from, partitions), on.next, 0);
  auto in = precv_init(on.world, in_partitions(into, partitions), on.before, 0);
  for (int epoch = 0; epoch < 20; ++epoch) {
    fill(from, values_of(on.rank, epoch, 140));
    std::ranges::fill(into, -1);
    in.start();
    out.start();
    if (epoch % 7 == 6) { // after epochs in which all were ready at once
      int const lone = (epoch * 11) % partitions;
      out.ready(lone);
      wait_until_arrived(in, lone);
      auto const expected = values_of(on.before, epoch, 140);
      CHECK(into[std::size_t(2 * lone)] == expected[std::size_t(2 * lone)]);
      CHECK(into[std::size_t(2 * lone + 1)] == expected[std::size_t(2 * lone + 1)]);
      int const other = (lone + 35) % partitions;
      CHECK_FALSE(in.arrived(other));
      mpi::barrier(on.world);
      for (int p = 0; p < partitions; ++p)
        if (p != lone)
          out.ready(p);
    } else
      out.ready_range(0, partitions - 1);
    in.wait();
    out.wait();
    CHECK(into == values_of(on.before, epoch, 140));
  }
}

TEST_CASE("a partition arrives although its sender does nothing more") {
  ring const on;
  if (on.size == 1)
    return;
  values from(8), into(8);
  auto out = psend_init(on.world, in_partitions(from, 4), on.next, 0);
  auto in = precv_init(on.world, in_partitions(into, 4), on.before, 0);
  for (int epoch = 0; epoch < 12; ++epoch) {
    in.start();
    out.start();
    fill(from, values_of(on.rank, epoch, 8));
    if (epoch == 0 || epoch == 11) {
      out.ready(2);
      wait_until_arrived(in, 2);
      mpi::barrier(on.world); // no partition arrives during this
      CHECK(into[4] == values_of(on.before, epoch, 8)[4]);
      out.ready_list(std::vector{3, 0, 1});
    } else
      out.ready_range(0, 3);
    out.wait();
    in.wait();
  }
}

TEST_CASE("ends match in the order of their making, by peer and tag") {
  ring const on;
  values a{on.rank}, b{on.rank + 100}, c{on.rank + 200}, in_a(1), in_b(1), in_c(1);
  auto out_a = psend_init(on.world, in_partitions(a, 1), on.next, 5);
  auto out_b = psend_init(on.world, in_partitions(b, 1), on.next, 7);
  auto out_c = psend_init(on.world, in_partitions(c, 1), on.next, 5);
  auto got_b = precv_init(on.world, in_partitions(in_b, 1), on.before, 7);
  auto got_a = precv_init(on.world, in_partitions(in_a, 1), on.before, 5);
  auto got_c = precv_init(on.world, in_partitions(in_c, 1), on.before, 5);
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto* end : {&out_c, &got_c, &out_a, &got_b, &out_b, &got_a}) // in another order
      end->start();
    for (auto* end : {&out_b, &out_c, &out_a})
      end->ready(0);
    for (auto* end : {&out_a, &out_b, &out_c, &got_a, &got_b, &got_c})
      end->wait();
    CHECK(in_a[0] == on.before);
    CHECK(in_b[0] == on.before + 100);
    CHECK(in_c[0] == on.before + 200);
  }
}

TEST_CASE("strided datatypes keep their places") {
  ring const on;
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(4, 1, 6, MPI_INT64_T, &column);
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(column, 0, sizeof(std::int64_t), &resized);
  MPI_Type_commit(&resized);
  values from(24), into(24, -1), flat(24, -1);
  auto out = psend_init(on.world, {from.data(), 6, 1, resized}, on.next, 0);
  auto out_too = psend_init(on.world, {from.data(), 3, 2, resized}, on.next, 1);
  auto in = precv_init(on.world, {into.data(), 2, 3, resized}, on.before, 0);
  auto in_flat = precv_init(on.world, in_partitions(flat, 8), on.before, 1);
  for (int epoch = 0; epoch < 4; ++epoch) {
    fill(from, values_of(on.rank, epoch, 24));
    auto const expected = values_of(on.before, epoch, 24);
    for (auto* end : {&out, &out_too, &in, &in_flat})
      end->start();
    for (int p = 5; p >= 0; --p)
      out.ready(p);
    out_too.ready_range(0, 2);
    for (auto* end : {&out, &out_too, &in, &in_flat})
      end->wait();
    CHECK(into == expected);
    for (std::size_t k = 0; k < 24; ++k)
      CHECK(flat[k] == expected[k % 4 * 6 + k / 4]);
  }
  MPI_Type_free(&column);
  MPI_Type_free(&resized);
}

TEST_CASE("a message without bytes is one too, and MPI_PROC_NULL a peer") {
  ring const on;
  values none, some{1, 2};
  auto out = psend_init(on.world, {none.data(), 5, 0, MPI_INT64_T}, on.next, 0);
  auto in = precv_init(on.world, {none.data(), 3, 0, MPI_INT64_T}, on.before, 0);
  auto out_zero = psend_init(on.world, {none.data(), 0, 7, MPI_INT64_T}, on.next, 1);
  auto in_zero = precv_init(on.world, {none.data(), 0, 0, MPI_INT64_T}, on.before, 1);
  auto to_nobody = psend_init(on.world, in_partitions(some, 2), MPI_PROC_NULL, 0);
  auto from_nobody = precv_init(on.world, in_partitions(some, 2), MPI_PROC_NULL, 0);
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (auto* end : {&out, &in, &out_zero, &in_zero, &to_nobody, &from_nobody})
      end->start();
    out.ready_range(0, 4);
    to_nobody.ready(1);
    CHECK_FALSE(to_nobody.test());
    to_nobody.ready(0);
    CHECK(from_nobody.arrived(1));
    for (auto* end : {&out, &in, &out_zero, &in_zero, &to_nobody, &from_nobody})
      end->wait();
    CHECK(some == values{1, 2});
  }
}

TEST_CASE("an epoch may wait for the receiver's buffer") {
  ring const on;
  values from(4), into(4);
  auto out = psend_init(on.world, in_partitions(from, 4), on.next, 0);
  auto in = precv_init(on.world, in_partitions(into, 2), on.before, 0);
  CHECK_THROWS_WITH(out.prepare_buffers(), Catch::Contains("pbuf_prepare: psend_init to rank") &&
                                               Catch::Contains("is inactive"));
  for (int epoch = 0; epoch < 5; ++epoch) {
    in.start();
    out.start();
    fill(from, values_of(on.rank, epoch, 4));
    in.prepare_buffers();
    out.prepare_buffers();
    out.ready_range(0, 3);
    out.wait();
    in.wait();
    CHECK(into == values_of(on.before, epoch, 4));
  }
}

TEST_CASE("misuse is named with call, partition and state, and changes nothing") {
  ring const on;
  values from(4), into(4);
  auto out = psend_init(on.world, in_partitions(from, 4), on.next, 2);
  auto in = precv_init(on.world, in_partitions(into, 4), on.before, 2);
  std::string const name = fmt::format("psend_init to rank {}, tag 2", on.next);
  CHECK_THROWS_WITH(out.ready(1), Catch::Contains(fmt::format("pready: partition 1 of {}, which is "
                                                              "inactive (expected start before)",
                                                              name)));
  CHECK(in.arrived(3));
  CHECK(out.test());
  out.wait();
  out.start();
  in.start();
  CHECK_THROWS_WITH(out.start(), Catch::Contains(fmt::format("start: {} is active already", name)));
  out.ready(1);
  CHECK_THROWS_WITH(out.ready(1), Catch::Contains(fmt::format("pready: partition 1 of {} is ready "
                                                              "already",
                                                              name)));
  CHECK_THROWS_WITH(out.ready_range(0, 2), Catch::Contains("pready_range: partition 1 of"));
  CHECK_THROWS_WITH(out.ready(4), Catch::Contains(fmt::format("pready: partition 4 of {} (expected "
                                                              "0 to 3)",
                                                              name)));
  CHECK_THROWS_WITH(out.ready_list(std::vector{3, -1}),
                    Catch::Contains("pready_list: partition -1 of"));
  CHECK_THROWS_WITH(out.ready(0, on.next + 1),
                    Catch::Contains(fmt::format("pready: destination {} of {} (expected {})",
                                                on.next + 1, name, on.next)));
  CHECK_THROWS_WITH(in.arrived(4), Catch::Contains("parrived: partition 4 of precv_init from"));
  CHECK_THROWS_WITH(in.ready(0),
                    Catch::Contains("(expected none, as there are none on this rank)"));
  CHECK_THROWS_WITH(out.close(), Catch::Contains(fmt::format("free: {} is active", name)) &&
                                     Catch::Contains("not ready (expected wait before)"));
  out.ready(0);
  out.ready(2);
  out.wait();
  in.wait();
  out.close();
  in.close();

  CHECK_THROWS_WITH(precv_init(on.world, in_partitions(into, 1), MPI_ANY_SOURCE, 0),
                    Catch::Contains("precv_init: MPI_ANY_SOURCE (expected one source"));
  CHECK_THROWS_WITH(precv_init(on.world, in_partitions(into, 1), 0, MPI_ANY_TAG),
                    Catch::Contains("precv_init: MPI_ANY_TAG (expected a tag)"));
  CHECK_THROWS_WITH(psend_init(on.world, in_partitions(from, 1), on.size, 0),
                    Catch::Contains(fmt::format("destination {} (expected 0 to", on.size)));
  CHECK_THROWS_AS(psend_init(on.world, {from.data(), -1, 2, MPI_INT64_T}, 0, 0), usage_error);
  CHECK_THROWS_AS(in_partitions(from, 3), usage_error);
}

TEST_CASE("on a graph partitions go along its edges, and in no other direction") {
  ring const on;
  auto const graph = make_graph(on.world, Topology::graph({{on.before}}, {{on.next}}));
  values from{on.rank, 1}, into(2);
  auto out = psend_init(graph, in_partitions(from, 2), on.next, 0);
  auto in = precv_init(graph, in_partitions(into, 2), on.before, 0);
  in.start();
  out.start();
  out.ready_range(0, 1);
  out.wait();
  in.wait();
  CHECK(into == values{on.before, 1});
  psend_init(graph, in_partitions(from, 2), MPI_PROC_NULL, 0);
  if (on.size < 3)
    return;
  CHECK_THROWS_WITH(psend_init(graph, in_partitions(from, 2), on.before, 0),
                    Catch::Contains(fmt::format("psend_init: destination rank {}: no neighbor of "
                                                "rank {} on this graph (expected {};",
                                                on.before, on.rank, on.next)));
  CHECK_THROWS_WITH(precv_init(graph, in_partitions(into, 2), on.next, 0),
                    Catch::Contains(fmt::format("precv_init: source rank {}: no neighbor of rank "
                                                "{} on this graph (expected {};",
                                                on.next, on.rank, on.before)));
}

TEST_CASE("ends of different length say so, both of them") {
  refuse_ends_of_different_length(ring());
}

TEST_CASE("what a refused channel has sent does not meet the next communicator's messages") {
  for (int round = 0; round < 5; ++round) {
    refuse_ends_of_different_length(ring());
    ring const on;
    values from(6), into(6);
    auto out = psend_init(on.world, in_partitions(from, 3), on.next, 0);
    auto in = precv_init(on.world, in_partitions(into, 3), on.before, 0);
    for (int epoch = 0; epoch < 3; ++epoch) {
      fill(from, values_of(on.rank, epoch, 6));
      out.start();
      in.start();
      out.ready_range(0, 2);
      in.wait();
      out.wait();
      CHECK(into == values_of(on.before, epoch, 6));
    }
  }
}

TEST_CASE("operations that were never started, or never matched, are freed") {
  ring const on;
  values from(2), into(2);
  auto out = psend_init(on.world, in_partitions(from, 2), on.next, 1);
  auto in = precv_init(on.world, in_partitions(into, 2), on.before, 9);
  mpi::barrier(on.world);
}

TEST_CASE("ends that are freed before they have met leave the next ones alone") {
  for (bool const shared : {true, false}) {
    shared_memory_in_scope const choice(shared && shared_memory_is_on());
    ring const on;
    values from(12), into(12);
    static_cast<void>(precv_init(on.world, in_partitions(into, 3), on.before, 5));
    mpi::barrier(on.world); // the first hello comes when its receiver is gone
    static_cast<void>(psend_init(on.world, {from.data(), 2, 3, MPI_INT64_T}, on.next, 5));
    auto out = psend_init(on.world, in_partitions(from, 4), on.next, 5);
    auto in = precv_init(on.world, in_partitions(into, 2), on.before, 5);
    fill(from, values_of(on.rank, 0, 12));
    out.start();
    in.start();
    out.ready_range(0, 3);
    out.wait();
    in.wait();
    CHECK(into == values_of(on.before, 0, 12));
  }
}

TEST_CASE("partitions may be marked and asked for by any thread") {
  ring const on;
  constexpr int num_threads = 4, partitions = 64;
  values from(640), into(640);
  auto out = psend_init(on.world, in_partitions(from, partitions), on.next, 0);
  auto in = precv_init(on.world, in_partitions(into, 32), on.before, 0);
  for (int epoch = 0; epoch < 10; ++epoch) {
    auto const now = values_of(on.rank, epoch, 640), expected = values_of(on.before, epoch, 640);
    out.start();
    in.start();
    std::atomic<int> right = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < num_threads; ++t)
      threads.emplace_back([&, t] {
        for (int p = t; p < partitions; p += num_threads) {
          std::copy_n(now.begin() + p * 10, 10, from.begin() + p * 10);
          out.ready(p);
        }
        for (int p = t; p < 32; p += num_threads) {
          wait_until_arrived(in, p);
          right += std::equal(into.begin() + p * 20, into.begin() + p * 20 + 20,
                              expected.begin() + p * 20)
                       ? 1
                       : 0;
        }
      });
    threads.clear();
    CHECK(right == 32);
    out.wait();
    in.wait();
  }
}
