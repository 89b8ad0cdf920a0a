// Processes find out why one of them waits for long: the line names the ranks that are missing, and
// says what each does instead. Waits that end in time are not reported, others once.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <support/catch.hpp>
#include <support/late_rank.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <regex>
#include <thread>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

TEST_CASE("a rank that has left is said to have left") {
  reporting const now;
  auto const world = testing::world();
  std::optional<leaving> gone;
  auto const said = said_before(
      1,
      [&] {
        gone.reset();
        run(world, barrier());
      },
      [&] { gone.emplace(); });
  INFO(said);
  CHECK(said.find("rank 1 has not made it, it has left\n") != std::string::npos);
}

TEST_CASE("after long waits, too, a rank has time to answer what it does") {
  reporting const now(stall_time(2.5));
  auto const world = testing::world();
  auto const said = said_before(world.size() - 1, [&] { run(world, barrier()); });
  INFO(said);
  CHECK(said.find(fmt::format("rank {} has not made it, it computes", world.size() - 1)) !=
        std::string::npos);
  CHECK(said.find("does not answer") == std::string::npos);
}

TEST_CASE("of a group that makes a communicator the late rank is named, and no other is asked") {
  reporting const now;
  auto const world = testing::world();
  if (world.size() < 3)
    return;
  // The last two ranks.
  int const late = world.size() - 1;
  auto const said = said_before(late, [&] {
    if (world.rank() < world.size() - 2)
      return;
    mpi::group all, last_two;
    MPI_Comm_group(MPI_COMM_WORLD, all.receive());
    std::array const ranks{world.size() - 2, world.size() - 1};
    MPI_Group_incl(all.native(), 2, ranks.data(), last_two.receive());
    CHECK(world.create_group(last_two.native()).size() == 2);
  });
  INFO(said);
  auto const expected = fmt::format("seam: rank {} has waited for [0-9.]+ s in "
                                    "Communicator::create_group, a call of 2 ranks: rank {} has "
                                    "not made it, it computes[^\\n]*\n",
                                    late - 1, late);
  CHECK(std::regex_match(said, std::regex(expected)));
}

TEST_CASE("without a Runtime ranks report their own waits, also in the MPI library") {
  auto const world = testing::world();
  int const late = 1;
  std::vector<std::pair<char const*, called>> const calls{
      {"MPI_Barrier", [&] { mpi::barrier(world); }},
      {"Communicator::split", [&] { world.split(0, 0); }},
      {"make_graph", [&] { one_way_ring_of(world); }},
      {"barrier", [&] { run(world, barrier()); }}};
  for (auto const& [name, call] : calls) {
    set_time_before_report(limit);
    auto const said = said_before(
        late, call, [] {}, world.size() - 1);
    set_time_before_report(std::nullopt);
    INFO(name << ": " << said);
    for (int rank = 0; rank < world.size(); ++rank) {
      std::regex const line(
          fmt::format("seam: rank {} has waited for [0-9.]+ s in {}(: [^\\n]*)?\n", rank, name));
      auto const begin = std::sregex_iterator(said.begin(), said.end(), line);
      CHECK(std::distance(begin, std::sregex_iterator()) == (rank == late ? 0 : 1));
    }
  }
}

TEST_CASE("waits that are shorter than the limit are not reported") {
  set_time_before_report(stall_time(30));
  auto const world = testing::world();
  watching const now(MPI_COMM_WORLD);
  common_stderr const told;
  for (int round = 0; round < 20; ++round) {
    if (world.rank() == round % world.size())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    run(world, barrier());
  }
  CHECK(told.text().empty());
  set_time_before_report(std::nullopt);
}

TEST_CASE("a wait that goes on after its report is not reported again") {
  constexpr stall_time after{0.4}; // longer than the rest of the barrier takes, also on few cores
  for (bool const with_watch : {true, false}) {
    std::optional<reporting> asking;
    if (with_watch)
      asking.emplace(after);
    else
      set_time_before_report(after);
    auto const world = testing::world();
    common_stderr const told;
    int const num_reports = with_watch ? 1 : world.size() - 1;
    if (world.rank() == 0) {
      told.wait_for_lines(num_reports);
      std::this_thread::sleep_for(3 * after);
    }
    run(world, barrier());
    meet();
    INFO(told.text());
    CHECK(std::ranges::count(told.text(), '\n') == num_reports);
    asking.reset();
    set_time_before_report(std::nullopt);
  }
}
