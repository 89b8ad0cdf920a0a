// Once messages repeat, sparse exchanges allocate nothing.
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

namespace {

/// One exchange with three neighbors, which may include the caller, of three lengths.
void exchange_once(SparseExchange& exchange, Communicator const& world,
                   std::vector<double> const& values, bool with_oneself) {
  for (std::size_t distance = with_oneself ? 0 : 1; distance < 3; ++distance)
    exchange.pack_bytes((world.rank() + static_cast<int>(distance)) % world.size(),
                        std::as_bytes(std::span(values).first(1000 * distance + 7)));
  exchange.exchange();
  while (exchange.receive())
    exchange.unpack_bytes(exchange.bytes_left());
}

} // namespace

TEST_CASE("where shared memory is off sparse exchanges take none") {
  std::vector<double> const values(3000, 1.5);
  int const next = (testing::world().rank() + 1) % testing::world().size();
  for (bool const is_on : {false, true})
    for (auto const algorithm : {sparse_algorithm::automatic, sparse_algorithm::two_level}) {
      INFO(name_of(algorithm) << ", shared memory " << is_on);
      shared_memory_in_scope const choice(is_on);
      auto const world = testing::world(); // keeps the links of its first exchange
      SparseExchange exchange(world, {.algorithm = algorithm});
      for (int turn = 0; turn < 4; ++turn)
        exchange_once(exchange, world, values, false);
      CHECK(is_shared_with(next) == (is_on && !world.node().is_alone()));
    }
}

TEST_CASE("repeated exchanges allocate nothing") {
  auto const world = testing::world();
  checks_in_scope const off(false); // their lines are made of strings
  std::vector<double> const values(3000, 1.5);
  for (auto const algorithm : sparse_algorithms())
    for (bool const with_oneself : {true, false}) {
      INFO(name_of(algorithm));
      SparseExchange exchange(world, {.algorithm = algorithm});
      // Long enough for the choice of an algorithm, and for all buffers to have had all lengths.
      for (int turn = 0; turn < 300; ++turn)
        exchange_once(exchange, world, values, with_oneself);
      long const before = num_allocations;
      for (int turn = 0; turn < 200; ++turn)
        exchange_once(exchange, world, values, with_oneself);
      CHECK(num_allocations - before == 0);
    }
}
