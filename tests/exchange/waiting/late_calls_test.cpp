// A rank that does not come to a call that the others make together is named, whatever the call is.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/exchange/sums/sum.hpp>

#include <support/catch.hpp>
#include <support/late_rank.hpp>
#include <support/world.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// A graph with an edge between any two ranks.
Communicator complete_graph(Communicator const& world) {
  std::vector<edge> all;
  for (int rank = 0; rank < world.size(); ++rank)
    all.push_back({rank});
  return make_graph(world, Topology::graph(all, all));
}

/// Checks that the sum of all ranks' numbers is there.
void check_sum(Communicator const& world, int sum) {
  CHECK(sum == world.size() * (world.size() + 1) / 2);
}

std::vector<late_call> collective_calls() {
  return {
      {"allreduce",
       [](Communicator const& world) -> called {
         return [&] {
           int const mine = world.rank() + 1;
           int sum = 0;
           run(world, allreduce(std::span(&mine, 1), std::span(&sum, 1), std::plus<>()));
           check_sum(world, sum);
         };
       }},
      {"allreduce",
       [](Communicator const& world) -> called {
         return [&] {
           int const mine = world.rank() + 1;
           int sum = 0;
           start(world, allreduce(std::span(&mine, 1), std::span(&sum, 1), std::plus<>())).wait();
           check_sum(world, sum);
         };
       }},
      {"allreduce",
       [](Communicator const& world) -> called {
         struct buffers {
           int mine, sum;
         };
         auto const kept = std::make_shared<buffers>(buffers{world.rank() + 1, 0});
         auto const planned = std::make_shared<operation>(
             prepare(world, allreduce(std::span<int const>(&kept->mine, 1),
                                      std::span(&kept->sum, 1), std::plus<>())));
         return [=, &world] {
           planned->run();
           check_sum(world, kept->sum);
         };
       }},
      {"alltoall",
       [](Communicator const& world) -> called {
         auto const ring = std::make_shared<Communicator>(one_way_ring_of(world));
         return [=, &world] {
           int const mine = world.rank();
           int before = -1;
           run(*ring, alltoall(std::span(&mine, 1), std::span(&before, 1)));
           CHECK(before == (world.rank() + world.size() - 1) % world.size());
         };
       }},
      {"alltoall",
       [](Communicator const& world) -> called {
         auto const ring = std::make_shared<Communicator>(one_way_ring_of(world));
         return [=] {
           int const mine = 1;
           int before = -1;
           auto const planned =
               prepare(*ring, alltoall(std::span(&mine, 1), std::span(&before, 1)));
         };
       }},
      {"barrier",
       [](Communicator const& world) -> called { return [&] { run(world, barrier()); }; }},
      {"sum",
       [](Communicator const& world) -> called {
         return [&] { CHECK(sum(world, 1) == world.size()); };
       }},
      {"MPI_Barrier",
       [](Communicator const& world) -> called { return [&] { mpi::barrier(world); }; }},
      {"make_graph",
       [](Communicator const& world) -> called { return [&] { one_way_ring_of(world); }; }},
      {"Communicator::split",
       [](Communicator const& world) -> called { return [&] { world.split(0, 0); }; }},
      {"Communicator::split_type",
       [](Communicator const& world) -> called { return [&] { world.split_shared(); }; }},
      {"Communicator::base",
       [](Communicator const& world) -> called { return [&] { world.base(); }; }},
      {"Communicator::dup",
       [](Communicator const& world) -> called { return [&] { world.dup(); }; }},
      {"SparseExchange::exchange",
       [](Communicator const& world) -> called {
         auto const exchange = std::make_shared<SparseExchange>(world);
         return [=] {
           exchange->exchange();
           while (exchange->receive()) {
           }
         };
       }},
      {"a fence of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<window<int>>(world, 1);
         memory->fence();
         return [=] {
           memory->fence();
           memory->close_epoch();
         };
       }},
      {"a fence of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<window<int>>(complete_graph(world), 1);
         return [=] {
           memory->fence();
           memory->close_epoch();
         };
       }},
      {"the end of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<std::optional<window<int>>>(std::in_place, world, 1);
         return [=] { memory->reset(); };
       }},
      {"Communicator::create_group",
       [](Communicator const& world) -> called {
         return [&] {
           mpi::group all;
           MPI_Comm_group(MPI_COMM_WORLD, all.receive());
           CHECK(world.create_group(all.native()).size() == world.size());
         };
       }},
      {"pallreduce_init",
       [](Communicator const& world) -> called {
         auto const in = std::make_shared<std::vector<int>>(4, world.rank() + 1);
         auto const out = std::make_shared<std::vector<int>>(4);
         auto const sum = std::make_shared<partitioned_operation>(
             pallreduce_init(world, in_partitions(*in, 2), in_partitions(*out, 2), MPI_SUM));
         return [=, &world] { // the operation keeps no buffers
           sum->start();
           sum->ready_range(0, 1);
           sum->wait();
           check_sum(world, in->empty() ? 0 : out->front());
         };
       }},
  };
}

} // namespace

TEST_CASE("a rank that does not come to a collective is named, whatever the call does") {
  reporting const now;
  check_late(collective_calls());
}
