// Free memory: requests for more than there is are refused on all ranks, before memory is taken.
#include <seam/exchange/agreement/free_memory.hpp>

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/two_sides.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr double beyond_all = 1e18;

bool is_last(Communicator const& world) { return world.rank() == world.size() - 1; }

} // namespace

TEST_CASE("a machine has some memory left, and not without bounds") {
  CHECK(free_memory() > 0);
  CHECK(static_cast<double>(free_memory()) < beyond_all);
}

TEST_CASE("memory that one rank alone asks for in vain is refused on all ranks") {
  auto const world = testing::world();
  try {
    require_memory(world, is_last(world) ? beyond_all : 0, "table");
    FAIL("nothing was thrown");
  } catch (usage_error const& refused) {
    CHECK(refused.on_all_ranks());
    CHECK_THAT(
        refused.what(),
        Catch::StartsWith("table: 1.0e+18 bytes of memory on one machine (expected at most"));
  }
}

TEST_CASE("requests of the ranks of a machine count together") {
  auto const world = testing::world();
  double const third = static_cast<double>(free_memory()) / 3;
  double const much = 4 * third / world.size();
  CHECK_THROWS_AS(require_memory(world, much, "table"), usage_error);
  CHECK_NOTHROW(require_memory(world, third / world.size(), "table"));
  CHECK_NOTHROW(require_memory(world, 0, "table"));
}

TEST_CASE("storage that no machine has is refused on all ranks, shared or not") {
  auto const world = testing::world();
  for (bool const shared : {true, false}) {
    shared_memory_in_scope const use(shared);
    std::int64_t const count = is_last(world) ? std::int64_t{1} << 56 : 1;
    CHECK_THROWS_WITH(allocate<double>(world, count),
                      Catch::StartsWith("allocate: 5.8e+17 bytes of memory on one machine"));
  }
}

TEST_CASE("on a bipartite communicator, memory that one process lacks is refused on both sides") {
  auto const world = testing::world();
  if (world.size() == 1)
    return;
  testing::two_sides const both(world);
  CHECK_THROWS_AS(require_memory(both.comm.context(), is_last(world) ? beyond_all : 0, "table"),
                  usage_error);
}
