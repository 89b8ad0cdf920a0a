// Combined exchanges on real grids send as many messages and bytes as the theory counts.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr long length = 3; ///< of a block
constexpr long block_bytes = length * sizeof(double);

/// What one process sends in an alltoall and in an allgather of blocks.
struct volumes {
  testing::mpi_calls alltoall, allgather;
};

/// On a torus of two dimensions with `num_neighbors` edges from each process.
volumes volumes_of(neighborhood const& around, network_model const& network,
                   std::size_t num_neighbors) {
  auto const world = testing::world();
  CartesianNaming const naming(world.size(), dims_create(world.size(), std::vector{0, 0}),
                               {true, true});
  name(world.view(), naming);
  set_network(network);
  Communicator const torus = make_named_graph(world, make_topology(naming, world.rank(), around));
  REQUIRE(torus.structure() != nullptr);
  REQUIRE(torus.topology().destinations().size() == num_neighbors);
  std::vector<double> const send(num_neighbors * length), block(length);
  std::vector<double> receive(send);
  checks_in_scope const unchecked(false); // they send messages of their own
  shared_memory_in_scope const off(false);
  return {testing::calls_of([&] { run(torus, alltoall(send, receive)); }),
          testing::calls_of([&] { run(torus, allgather(block, receive)); })};
}

} // namespace

TEST_CASE("combined exchanges send the messages and blocks that the theory counts") {
  constexpr network_model latency_alone{.latency = 1, .seconds_per_byte = 0};
  auto const [alltoall, allgather] = volumes_of(moore(1), latency_alone, 8);
  CHECK(alltoall.sends == 4);
  CHECK(alltoall.sent_bytes == 12 * block_bytes);
  CHECK(allgather.sends == 4);
  CHECK(allgather.sent_bytes == 8 * block_bytes);
}

TEST_CASE("direct exchanges send each block once") {
  constexpr network_model bandwidth_alone{.latency = 0, .seconds_per_byte = 1};
  auto const [alltoall, allgather] = volumes_of(moore(1), bandwidth_alone, 8);
  CHECK(alltoall.sends == 8);
  CHECK(alltoall.sent_bytes == 8 * block_bytes);
  CHECK(allgather.sent_bytes == 8 * block_bytes);
}
