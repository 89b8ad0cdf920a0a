// Many threads mark partitions and test for their arrival at once; stalls are reported.
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reduction_pieces.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <support/catch.hpp>
#include <support/failing_reduction.hpp>
#include <support/partitioned.hpp>
#include <support/stderr_of.hpp>
#include <support/world.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

using values = std::vector<std::int64_t>;

constexpr int num_threads = 4, partitions = 96, length = 960;

/// Runs act(t) on threads t = 0, 1, ...
template <class Act>
void on_threads(Act act) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < num_threads; ++t)
    threads.emplace_back([=] { act(t); });
}

std::int64_t value_of(int rank, int epoch, int k) { return 100000 * rank + 1000 * epoch + k; }

/// Each thread writes and marks its partitions that leave, then reads those that arrive, and counts
/// the right ones.
/// @param write(epoch, p), is_right(epoch, p)  for partition p that leaves, and that arrives
template <class Write, class IsRight>
void run_on_threads(partitioned_operation& tested, Write write, IsRight is_right) {
  for (int epoch = 0; epoch < 12; ++epoch) {
    std::atomic<int> right = 0;
    tested.start();
    on_threads([&](int t) {
      for (int p = t; p < tested.num_leaving(); p += num_threads) {
        write(epoch, p);
        tested.ready(p);
      }
      for (int p = t; p < tested.num_arriving(); p += num_threads) {
        testing::wait_until_arrived(tested, p);
        right += is_right(epoch, p) ? 1 : 0;
      }
    });
    CHECK(right == tested.num_arriving());
    tested.wait();
  }
}

} // namespace

TEST_CASE("threads share an alltoall") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  values sent(std::size_t(length * size)), got(sent.size());
  constexpr int each = length / partitions;
  auto tested = palltoall_init(world, {sent.data(), partitions, each, MPI_INT64_T},
                               {got.data(), partitions, each, MPI_INT64_T});
  run_on_threads(
      tested,
      [&](int epoch, int p) {
        for (int k = p * each; k < (p + 1) * each; ++k)
          sent[std::size_t(k)] = value_of(rank, epoch, k);
      },
      [&](int epoch, int p) {
        int const k = p % partitions * each, source = p / partitions;
        return got[std::size_t(p * each)] == value_of(source, epoch, rank * length + k);
      });
}

TEST_CASE("threads share an allreduce and a scan") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  constexpr int few = 12, each = 5;
  values in(few * each), out(in.size());
  auto const write = [&](int epoch, int p) {
    for (int k = p * each; k < (p + 1) * each; ++k)
      in[std::size_t(k)] = value_of(rank, epoch, k);
  };
  auto const sum_of = [](int ranks, int epoch, int k) {
    std::int64_t sum = 0;
    for (int r = 0; r < ranks; ++r)
      sum += value_of(r, epoch, k);
    return sum;
  };
  auto all = pallreduce_init(world, in_partitions(in, few), in_partitions(out, few), MPI_SUM);
  run_on_threads(all, write, [&](int epoch, int p) {
    return out[std::size_t(p * each)] == sum_of(size, epoch, p * each);
  });
  auto scan = pscan_init(world, in_partitions(in, few), in_partitions(out, few), MPI_SUM);
  run_on_threads(scan, write, [&](int epoch, int p) {
    return out[std::size_t(p * each)] == sum_of(rank + 1, epoch, p * each);
  });
}

TEST_CASE("of many threads that mark one partition all but one are refused") {
  auto const world = testing::world();
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  values sent(partitions), got(partitions);
  auto out = psend_init(world, in_partitions(sent, partitions), next, 0);
  auto in = precv_init(world, in_partitions(got, partitions), before, 0);
  for (int epoch = 0; epoch < 5; ++epoch) {
    std::atomic<int> refused = 0;
    in.start();
    out.start();
    on_threads([&](int) {
      for (int p = 1; p < partitions; ++p)
        try {
          out.ready(p);
        } catch (std::exception const&) {
          ++refused;
        }
    });
    CHECK(refused == (num_threads - 1) * (partitions - 1));
    out.ready(0);
    out.wait();
    in.wait();
  }
}

TEST_CASE("of many threads that mark one strided partition all but one are refused") {
  auto const world = testing::world();
  int const size = world.size();
  constexpr int few = 3, rows = 2000, columns = 2;
  MPI_Datatype column = MPI_DATATYPE_NULL, columns_apart = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, columns, MPI_INT64_T, &column);
  MPI_Type_create_resized(column, 0, rows * columns * sizeof(std::int64_t), &columns_apart);
  MPI_Type_commit(&columns_apart);
  values sent(std::size_t(size * few * rows * columns)), got(sent.size());
  auto tested = palltoall_init(world, {sent.data(), few, 1, columns_apart},
                               {got.data(), few, 1, columns_apart});
  for (int epoch = 0; epoch < 5; ++epoch) {
    std::atomic<int> refused = 0, here = 0;
    tested.start();
    on_threads([&](int) {
      for (int p = 0; p < few * size; ++p) {
        for (++here; here < num_threads * (p + 1);)
          std::this_thread::yield();
        try {
          tested.ready(p);
        } catch (std::exception const&) {
          ++refused;
        }
      }
    });
    CHECK(refused == (num_threads - 1) * few * size);
    tested.wait();
  }
  MPI_Type_free(&column);
  MPI_Type_free(&columns_apart);
}

TEST_CASE("an error on the progress thread is thrown by the user's next calls") {
  auto const world = testing::world();
  testing::failing_reduction failing;
  values in(3), out(3);
  partitioned_parts parts{.name = "a reduction", .keeps = nullptr};
  pipeline_plan plan;
  plan.pieces.push_back(failing.plan(in, out));
  plan.partitions2pieces = {0, 1};
  plan.tags.push_back(draw_reduction_tags(world, 1));
  std::vector<pipeline_plan> plans;
  plans.push_back(std::move(plan));
  parts.parts.push_back(std::move(make_pipelines(world, std::move(plans)).front()));
  parts.leaving.push_back({parts.parts[0].get()});
  parts.arriving.push_back({parts.parts[0].get()});
  partitioned_operation tested(std::move(parts));
  tested.start();
  tested.ready(0);
  while (failing.trials == 0)
    std::this_thread::yield(); // a wait of seam would make progress itself
  CHECK(failing.last.load() != std::this_thread::get_id());
  for (int call = 0; call < 2; ++call) {
    CHECK_THROWS_WITH(tested.wait(), "values that cannot be added");
    CHECK_THROWS_WITH(tested.test(), "values that cannot be added");
    CHECK_THROWS_WITH(tested.arrived(0), "values that cannot be added");
  }
  CHECK(failing.trials == 1);
  tested.close();
}

TEST_CASE("Kokkos teams mark the partitions that they have computed") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  constexpr int each = length / partitions;
  values sent(length), got(length);
  auto out = psend_init(world, in_partitions(sent, partitions), next, 0);
  auto in = precv_init(world, in_partitions(got, partitions), before, 0);
  using policy = Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>;
  for (int epoch = 0; epoch < 8; ++epoch) {
    in.start();
    out.start();
    Kokkos::parallel_for(policy(partitions, 1), [&](policy::member_type const& team) {
      int const p = team.league_rank();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, each), [&](int k) {
        sent[std::size_t(p * each + k)] = value_of(rank, epoch, p * each + k);
      });
      team.team_barrier();
      Kokkos::single(Kokkos::PerTeam(team), [&] { out.ready(p); });
    });
    int right = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, partitions),
        [&](int p, int& sum) {
          testing::wait_until_arrived(in, p);
          sum += got[std::size_t(p * each)] == value_of(before, epoch, p * each) ? 1 : 0;
        },
        right);
    CHECK(right == partitions);
    out.wait();
    in.wait();
  }
}

TEST_CASE("a partition that is never marked is reported after a while") {
  auto const world = testing::world();
  values in(6), out(6);
  set_time_before_report(stall_time(0.2));
  auto sum = pallreduce_init(world, in_partitions(in, 3), in_partitions(out, 3), MPI_SUM);
  set_time_before_report(std::nullopt);
  std::string const said = testing::stderr_of([&] {
    sum.start();
    sum.ready(1);
    testing::wait_for_stderr();
    std::this_thread::sleep_for(std::chrono::milliseconds(600)); // it says so once
  });
  CHECK_THAT(said, Catch::Contains(fmt::format("seam: rank {} has waited for ", world.rank())) &&
                       Catch::Contains("s: pallreduce_init; partitions 0, 2 not marked ready"));
  CHECK(std::ranges::count(said, '\n') == 1);
  sum.ready_list(std::vector{0, 2});
  sum.wait();
}
