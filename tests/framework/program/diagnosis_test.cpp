// Diagnosis: what is found is the same on all ranks, and comes with an advice where it is not good.
#include <seam/framework/program/diagnosis.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <chrono>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

constexpr std::chrono::milliseconds enough{10000}, no_time{-1};
int one_argument = 1;
char name[] = "test";
char* names[] = {name, nullptr};
char** arguments = names;

} // namespace

TEST_CASE("every topic has its line, the same on all ranks, and an advice if it is not good") {
  Runtime const runtime(one_argument, arguments);
  auto const findings = diagnose(runtime);
  for (std::string const topic :
       {"MPI threads", "shared memory", "large messages", "partitioned communication", "devices",
        "pinning", "oversubscription", "checked mode"})
    CHECK(std::ranges::count(findings, topic, &finding::topic) == 1);
  for (finding const& found : findings) {
    INFO(found.topic);
    CHECK_FALSE(found.state.empty());
    CHECK(found.is_good == found.advice.empty());
    std::string first = found.topic + found.state + found.advice;
    mpi::bcast(runtime, first, 0);
    CHECK(first == found.topic + found.state + found.advice);
  }
}

TEST_CASE("threads exchange at once, whatever their number") {
  auto const world = testing::world();
  for (int const num_threads : {1, 2, 7})
    CHECK(detail::threads_may_call_together(world.context(), num_threads, enough));
}

TEST_CASE("where threads of one rank do not exchange, no rank waits, and all say so") {
  auto const world = testing::world();
  bool const is_mute = world.rank() == world.size() - 1;
  auto const limit = is_mute ? no_time : std::chrono::milliseconds(100);
  CHECK_FALSE(detail::threads_may_call_together(world.context(), 3, limit));
  CHECK(detail::threads_may_call_together(world.context(), 3,
                                          enough)); // others' messages are alone
}

TEST_CASE("threads that do not exchange have their line and an advice") {
  Runtime const runtime(one_argument, arguments);
  auto const findings = diagnose(runtime, no_time);
  auto const threads = std::ranges::find(findings, "MPI threads", &finding::topic);
  REQUIRE(threads != findings.end());
  CHECK_FALSE(threads->is_good);
  CHECK_THAT(threads->state, Contains("messages of threads were late, lost or changed"));
  CHECK_THAT(threads->advice, Contains("OMP_NUM_THREADS=1"));
}
