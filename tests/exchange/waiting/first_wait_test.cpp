// The watch of a process's waits is there before the first wait: what it needs it takes when the first
// communicator is made, so that steady states that wait allocate nothing.
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <chrono>
#include <thread>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

TEST_CASE("a process that waits for the first time takes no memory for the watch of its waits") {
  constexpr std::chrono::milliseconds two_looks_and_more{600};
  auto const world = testing::world();
  call_record::of(world.view()); // as the first collective call does
  long const before = num_allocations;
  {
    wait_scope const waiting;
    std::this_thread::sleep_for(two_looks_and_more);
  }
  CHECK(num_allocations - before == 0);
}
