// Records of calls: all processes agree on their ids without a message, and count the same calls; a
// scope names the call that a thread is in.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// The name of the call that this thread is in.
std::string name_of_call() {
  char const* const name = calls_of_this_thread().name.load();
  return name == nullptr ? "" : name;
}

} // namespace

TEST_CASE("processes agree on the ids of their records, of which no two are equal") {
  auto const world = testing::world();
  auto const second = world.dup();
  auto const half = *world.split(world.rank() % 2, 0);
  auto const part = world.calls()->begin_part(), next_part = world.calls()->begin_part();
  std::vector const own{world.calls()->id(), second.calls()->id(), part->id(), next_part->id()};
  for (std::uint64_t const id : own)
    for (std::uint64_t const other : mpi::allgather(world, id))
      CHECK(other == id);
  for (std::uint64_t const other : mpi::allgather(half, half.calls()->id()))
    CHECK(other == half.calls()->id());
  CHECK(std::set(own.begin(), own.end()).size() == own.size());
  CHECK(std::ranges::count(own, half.calls()->id()) == 0);
}

TEST_CASE("a set of ranks has them in their order, and is equal as their list is") {
  std::vector<std::vector<int>> lists;
  for (unsigned bits = 0; bits < 64; ++bits) {
    std::vector<int> list;
    for (int rank = 0; rank < 6; ++rank)
      if ((bits >> rank) % 2 != 0)
        list.push_back(rank);
    lists.push_back(list);
  }
  for (auto const& one : lists) {
    rank_set const set(one);
    REQUIRE(set.size() == std::ssize(one));
    for (int k = 0; k < set.size(); ++k)
      CHECK(set[k] == one[k]);
    for (auto const& other : lists) {
      CHECK((set == rank_set(other)) == (one == other));
    }
  }
  for (int size = 0; size < 4; ++size) {
    std::vector<int> list(size);
    std::iota(list.begin(), list.end(), 0);
    CHECK(rank_set::first(size) == rank_set(list));
  }
}

TEST_CASE("a record counts its calls, and its count is known after its end") {
  auto const world = testing::world();
  auto record = world.calls()->begin_part();
  std::uint64_t const id = record->id();
  for (std::int64_t number = 1; number <= 5; ++number) {
    call_scope const here("a call", *record);
    CHECK(here.number() == number);
    CHECK(count_of_calls(id) == number);
  }
  CHECK(*processes_of_calls(id) == *record->world_ranks());
  record.reset();
  CHECK(count_of_calls(id) == 5);
  CHECK(processes_of_calls(id) == nullptr);
  CHECK(count_of_calls(id + 1) == 0);
}

TEST_CASE("the outermost scope names the call of a thread, and counts it once") {
  auto const& calls = calls_of_this_thread();
  auto const before = calls.num_calls.load();
  {
    call_scope const outer("outer");
    CHECK(name_of_call() == "outer");
    {
      call_scope const inner("inner");
      CHECK(name_of_call() == "outer");
    }
    CHECK(name_of_call() == "outer");
    std::thread([] { CHECK(name_of_call().empty()); }).join();
  }
  CHECK(name_of_call().empty());
  CHECK(std::strcmp(calls.last.load(), "outer") == 0);
  CHECK(calls.num_calls.load() == before + 1);
}

TEST_CASE("the innermost scope that counts says which call a thread waits for") {
  auto const world = testing::world();
  auto const first = world.calls()->begin_part(), second = world.calls()->begin_part();
  auto const& calls = calls_of_this_thread();
  auto const id_before = calls.id.load();
  {
    call_scope const outer("outer", *first);
    {
      call_scope const inner("inner", *second);
      CHECK(calls.id.load() == second->id());
      call_scope const later("a wait", *first, 17);
      CHECK(calls.id.load() == first->id());
      CHECK(calls.number.load() == 17);
    }
    CHECK(calls.id.load() == first->id());
    CHECK(calls.number.load() == 1);
  }
  CHECK(calls.id.load() == id_before);
  CHECK(first->count() == 1);
  CHECK(second->count() == 1);
}

TEST_CASE("a wait inside of another one belongs to it") {
  auto const& calls = calls_of_this_thread();
  CHECK_FALSE(calls.waits());
  {
    wait_scope const outer;
    auto const number = calls.wait.load();
    CHECK(calls.waits());
    {
      wait_scope const inner;
      CHECK(calls.wait.load() == number);
    }
    CHECK(calls.waits());
  }
  CHECK_FALSE(calls.waits());
}

TEST_CASE("after the end of the Runtime calls are refused") {
  set_seam_has_ended(true);
  CHECK_THROWS_WITH(call_scope("a call"), Catch::StartsWith("a call: called after the Runtime"));
  CHECK_THROWS_WITH(check_touch("u"), Catch::StartsWith("field 'u': touched after the Runtime"));
  set_seam_has_ended(false);
  CHECK_NOTHROW(call_scope("a call"));
  CHECK(name_of_call().empty());
}

TEST_CASE("names are kept once") {
  std::string text = "the halo of u";
  char const* const kept = lasting_name(text);
  CHECK(lasting_name(std::string("the halo of u")) == kept);
  text = "overwritten";
  CHECK(std::strcmp(kept, "the halo of u") == 0);
}

TEST_CASE("in checked mode two threads at a time in calls of one communicator are told so") {
  if (mpi::thread_level() < MPI_THREAD_MULTIPLE)
    return;
  auto const world = testing::world();
  checks_in_scope const checked(true);
  std::string line;
  auto const planned = [&] { return prepare(world, barrier()); };
  operation twice = planned();
  auto const both = [&](std::function<void()> const& first, std::function<void()> const& second) {
    if (world.rank() != 0) {
      MPI_Barrier(MPI_COMM_WORLD);
      return first();
    }
    auto& main = calls_of_this_thread();
    std::thread other([&] {
      while (main.name.load() == nullptr || !main.waits())
        std::this_thread::yield();
      try {
        second();
      } catch (usage_error const& problem) {
        line = problem.what();
      }
      MPI_Barrier(MPI_COMM_WORLD);
    });
    first();
    other.join();
  };
  int const one = 1;
  int sum = 0;
  both([&] { run(world, barrier()); },
       [&] { run(world, allreduce(std::span(&one, 1), std::span(&sum, 1), std::plus<>())); });
  std::string const expected =
      world.rank() == 0 ? "collective: two threads of one process at a time on one communicator or "
                          "operation, in barrier and allreduce"
                        : "";
  CHECK_THAT(line, Catch::StartsWith(expected));
  line.clear();
  both([&] { twice.run(); }, [&] { twice.run(); });
  if (world.rank() == 0)
    CHECK_THAT(line, Catch::Contains("in barrier and barrier"));
}
