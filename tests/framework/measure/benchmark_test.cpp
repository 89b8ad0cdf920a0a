#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/measure/benchmark.hpp>

#include <support/catch.hpp>
#include <support/stderr_of.hpp>
#include <support/world.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

timing answer(char const* name, role is, double median) {
  return {.question = "how",
          .variant = name,
          .is = is,
          .ranks = 2,
          .bytes = 64,
          .repetitions = 5,
          .min = median / 2,
          .median = median,
          .p90 = 2 * median};
}

} // namespace

TEST_CASE("every variant is timed, by its slowest rank, in the order given") {
  auto const over = world();
  auto const nap = [&](int milliseconds) {
    return [=, own = over.rank() == over.size() - 1 ? milliseconds : 0] {
      std::this_thread::sleep_for(std::chrono::milliseconds(own));
    };
  };
  auto const found = time_in_turn(over, {.question = "nap", .bytes = 7, .repetitions = 5},
                                  {{"long", nap(6)}, {"short", nap(2), role::rival}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].variant == "long");
  CHECK(found[0].median >= 6e-3);
  CHECK(found[1].median >= 2e-3);
  for (timing const& answer : found) {
    CHECK(answer.min <= answer.median);
    CHECK(answer.median <= answer.p90);
    CHECK(answer.ranks == over.size());
    CHECK(answer.bytes == 7);
    double const least = mpi::allreduce(over, answer.median, MPI_MIN);
    CHECK(least == answer.median);
  }
}

TEST_CASE("a benchmark of more than ten seconds says so before it begins") {
  auto const over = world();
  int runs = 0;
  auto const slow = [&] {
    if (++runs > 2) // the first repetition has begun
      throw std::runtime_error("enough");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  auto const said = stderr_of([&] {
    CHECK_THROWS_WITH(time_in_turn(over,
                                   {.question = "a nap", .repetitions = 100000, .seconds = 12},
                                   {{"nap", slow}}),
                      "enough");
  });
  CHECK(said == (over.rank() == 0 ? "a nap: about 12 s\n" : ""));
}

TEST_CASE("times are announced in seconds, minutes and hours") {
  auto const over = world();
  auto const said = [&](double seconds) {
    return stderr_of([&] { announce_time(over, "all", seconds); });
  };
  auto const on_rank_0 = [&](char const* text) { return over.rank() == 0 ? text : ""; };
  CHECK(said(9.9).empty());
  CHECK(said(10.4) == on_rank_0("all: about 10 s\n"));
  CHECK(said(750) == on_rank_0("all: about 12 min\n"));
  CHECK(said(9000) == on_rank_0("all: about 2.5 h\n"));
}

TEST_CASE("a run too short for the clock is repeated, equally often on all ranks") {
  auto const over = world();
  constexpr int few_runs = 20; // without repeats they are 6 and one to find out how long it takes
  int runs = 0;
  for (int attempts = 0; attempts < 50 && runs <= few_runs; ++attempts) { // cores may be taken away
    runs = 0;
    auto const found = time_in_turn(over, {.question = "count", .repetitions = 3},
                                    {{"counting", [&] { ++runs; }}});
    CHECK(mpi::allreduce(over, runs, MPI_MAX) == runs);
    CHECK(found[0].median > 0);
  }
  CHECK(runs > few_runs);
  CHECK_THROWS_AS(time_in_turn(over, {.repetitions = 0}, {}), usage_error);
}

TEST_CASE("after the limit of time no repetition begins, but five are always made") {
  auto const over = world();
  auto const nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  auto const repetitions_in = [&](double seconds) {
    auto const found =
        time_in_turn(over, {.question = "nap", .repetitions = 1000, .seconds = seconds},
                     {{"long", nap}, {"longer", nap, role::rival}});
    CHECK(found[0].repetitions == found[1].repetitions);
    CHECK(mpi::allreduce(over, found[0].repetitions, MPI_MAX) == found[0].repetitions);
    CHECK(found[0].min >= 5e-3);
    return found[0].repetitions;
  };
  CHECK(repetitions_in(0) == 5);
  int const some = repetitions_in(0.3);
  CHECK((some >= 5 && some <= 15)); // 20 ms each: every run has one before it that does not count
}

TEST_CASE("ratios compare with the best rival and the best limit") {
  benchmark_table table;
  table.add({answer("ours", role::subject, 3e-6), answer("theirs", role::rival, 4e-6),
             answer("others", role::rival, 6e-6), answer("copy", role::limit, 1.5e-6)});
  table.add({answer("alone", role::subject, 1e-6)});
  CHECK_THAT(table.csv(), Contains("\nhow,ours,2,64,5,1.500,3.000,6.000,us,0.75,0.50\n"));
  CHECK_THAT(table.csv(), Contains("\nhow,others,2,64,5,3.000,6.000,12.000,us,1.50,0.25\n"));
  CHECK_THAT(table.csv(), Contains("\nhow,alone,2,64,5,0.500,1.000,2.000,us,,\n"));
  CHECK_THAT(table.text(), Contains("0.75") && Contains("x rival") && !Contains("messages"));
  CHECK(table.ratios() == std::vector{3e-6 / 4e-6});
}

TEST_CASE("names with commas or quotes are one field of a table's line") {
  benchmark_table table;
  table.add({answer("ours, \"fused\"", role::subject, 3e-6)});
  CHECK_THAT(table.csv(),
             Contains("\nhow,\"ours, \"\"fused\"\"\",2,64,5,1.500,3.000,6.000,us,,\n"));
}

TEST_CASE("messages are those of the process that sends most, where they are counted") {
  auto const over = world();
  auto const found =
      count_messages(over, {.question = "how", .bytes = 64},
                     {{.name = "counted", .run = {}, .messages = over.rank()}, {"unknown", {}}});
  REQUIRE(found.size() == 2);
  CHECK(found[0].messages == over.size() - 1);
  CHECK(found[1].messages == not_counted);
  benchmark_table table;
  table.add(found);
  table.add({answer("a name that is longer than others", role::rival, 4e-6)});
  CHECK_THAT(table.csv(), Contains("fraction_of_limit,messages\n") &&
                              Contains(",64,0,,,,us,,," + std::to_string(over.size() - 1) + "\n") &&
                              Contains("\nhow,unknown,") && Contains(",64,0,,,,us,,,\n"));
  auto const text = table.text();
  auto const first = text.substr(0, text.find('\n'));
  auto const last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  CHECK(first.find(" ranks") == last.find("others") + 6);
  CHECK(table.ratios().empty());
}
