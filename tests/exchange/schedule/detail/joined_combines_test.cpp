// Joined combine steps against the same steps one after another: runs of random lengths, distances
// and operations, which overlap and follow each other in all ways.
#include <seam/exchange/schedule/detail/joined_combines.hpp>
#include <seam/exchange/schedule/pack.hpp>

#include <support/catch.hpp>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using numbers = std::vector<std::uint16_t>;

int between(std::mt19937& random, int least, int most) {
  return std::uniform_int_distribution(least, most)(random);
}

/// The `length` numbers at `place`.
block row_at(numbers& all, int place, int length) {
  return {.first = reinterpret_cast<std::byte*>(all.data() + place),
          .row_bytes = length * std::int64_t{sizeof(std::uint16_t)}};
}

void add_step(schedule& plan, int round, block const& from, target into) {
  auto const source = static_cast<int>(plan.sources.size());
  auto const place = static_cast<int>(plan.targets.size());
  plan.sources.push_back(from);
  plan.targets.push_back(std::move(into));
  plan.combines.push_back({round, 0, {source, source + 1}, {place, place + 1}});
}

/// Adds steps of rows at equal distances, which may be 0 or negative, and lead anywhere in `all`.
void add_run(schedule& plan, numbers& all, int round, std::mt19937& random) {
  int const length = between(random, 1, 5), count = between(random, 1, 6);
  int const from_step = between(random, -6, 6), into_step = between(random, -6, 6);
  int const middle = static_cast<int>(all.size()) / 2;
  int const from = middle + between(random, -20, 20), into = middle + between(random, -20, 20);
  combiner const how =
      between(random, 0, 1) == 0 ? combiner() : combiner_of<std::uint16_t>(reduction::sum);
  for (int k = 0; k < count; ++k)
    if (std::abs(from + k * from_step - into - k * into_step) < length)
      return; // a row that overlaps its own target
  for (int k = 0; k < count; ++k)
    add_step(plan, round, row_at(all, from + k * from_step, length),
             {row_at(all, into + k * into_step, length), how});
}

void carry_out(schedule const& plan) {
  for (combine_step const& step : plan.combines) {
    auto const sources = plan.sources_of(step.sources);
    auto const targets = plan.targets_of(step.targets);
    for (int k = 0; k < std::ssize(targets); ++k)
      copy(sources[k], targets[k].where, targets[k].combine);
  }
}

/// The plan of another memory: its blocks lie where those of `plan` lie in `old_memory`.
schedule moved_to(numbers& memory, numbers& old_memory, schedule plan) {
  auto const move = [&](block& where) {
    where.first = reinterpret_cast<std::byte*>(memory.data()) +
                  (where.first - reinterpret_cast<std::byte*>(old_memory.data()));
  };
  for (block& from : plan.sources)
    move(from);
  for (target& into : plan.targets)
    move(into.where);
  return plan;
}

} // namespace

TEST_CASE("joined steps leave what the steps one after another leave") {
  int num_steps = 0, num_joined = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    numbers all(160);
    for (auto& number : all)
      number = static_cast<std::uint16_t>(random());
    numbers expected = all;
    schedule plan;
    plan.num_rounds = 2;
    for (int run = 0; run < 6; ++run)
      add_run(plan, all, run / 3, random);
    carry_out(moved_to(expected, all, plan));
    num_steps += static_cast<int>(plan.combines.size());
    join_combines(plan);
    num_joined += static_cast<int>(plan.combines.size());
    REQUIRE(plan.is_valid());
    carry_out(plan);
    REQUIRE(all == expected);
  }
  CHECK(2 * num_joined < num_steps);
}

TEST_CASE("steps of several rows, of other memory and from the wire stay as they are") {
  numbers all(40);
  schedule plan;
  for (int k = 0; k < 3; ++k)
    plan.combines.push_back({0, 8 * k, {}, {0, 1}}); // from the wire
  for (int k = 0; k < 3; ++k) {
    block rows = row_at(all, k, 1);
    rows.rows = {1, 2};
    rows.stride = {0, 8};
    add_step(plan, 0, rows, {rows});
  }
  join_combines(plan);
  CHECK(plan.combines.size() == 6);
}

TEST_CASE("steps of different rounds, lengths and operations are not joined") {
  numbers all(40);
  schedule plan;
  plan.num_rounds = 2;
  combiner const sum = combiner_of<std::uint16_t>(reduction::sum);
  add_step(plan, 0, row_at(all, 0, 1), {row_at(all, 10, 1)});
  add_step(plan, 0, row_at(all, 1, 1), {row_at(all, 11, 1), sum});
  add_step(plan, 0, row_at(all, 2, 2), {row_at(all, 12, 2), sum});
  add_step(plan, 1, row_at(all, 3, 2), {row_at(all, 13, 2), sum});
  join_combines(plan);
  CHECK(plan.combines.size() == 4);
}
