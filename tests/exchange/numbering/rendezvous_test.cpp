// Rendezvous: records that ranks send to homes, and answers that come back in the order of questions.
#include <seam/exchange/numbering/rendezvous.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

struct question {
  std::int64_t number;
  int from, position;
};

std::vector<int> random_ranks(std::mt19937& random, int count, int num_ranks) {
  std::uniform_int_distribution<int> any(0, num_ranks - 1);
  std::vector<int> ranks(count);
  for (int& rank : ranks)
    rank = any(random);
  return ranks;
}

} // namespace

TEST_CASE("an answer stands in the position of its question") {
  auto const world = testing::world();
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed << ", rank " << world.rank());
    std::mt19937 random(seed * 100 + world.rank());
    int const count = static_cast<int>(random() % 40);
    auto const homes = random_ranks(random, count, world.size());
    std::vector<question> questions;
    for (int i = 0; i < count; ++i)
      questions.push_back({static_cast<std::int64_t>(random()), world.rank(), i});
    auto const answers = ask<std::int64_t>(
        world, std::span<question const>(questions), homes, [&](received<question> const& asked) {
          std::vector<std::int64_t> replies;
          for (int i = 0; i < std::ssize(asked.records); ++i) {
            CHECK(asked.senders[i] == asked.records[i].from);
            replies.push_back(asked.records[i].number * world.size() + world.rank());
          }
          return replies;
        });
    REQUIRE(std::ssize(answers) == count);
    for (int i = 0; i < count; ++i)
      CHECK(answers[i] == questions[i].number * world.size() + homes[i]);
  }
}

TEST_CASE("records arrive by sender, and those of one sender in the order of sending") {
  auto const world = testing::world();
  std::mt19937 random(7);
  std::vector<std::vector<int>> homes; // [ranks], drawn alike on all ranks
  for (int rank = 0; rank < world.size(); ++rank)
    homes.push_back(random_ranks(random, 25, world.size()));
  std::vector<question> records;
  for (int i = 0; i < 25; ++i)
    records.push_back({i, world.rank(), i});
  auto const arrived = send_records(world, std::span<question const>(records), homes[world.rank()]);
  std::vector<std::pair<int, int>> expected, found;
  for (int rank = 0; rank < world.size(); ++rank)
    for (int i = 0; i < 25; ++i)
      if (homes[rank][i] == world.rank())
        expected.emplace_back(rank, i);
  for (question const& record : arrived.records)
    found.emplace_back(record.from, record.position);
  CHECK(found == expected);
}

TEST_CASE("homes of ascending ids ascend, and all ids have one") {
  for (int num_ranks : {1, 2, 3, 7})
    for (global_id largest : {0, 1, 5, 6, 7, 100}) {
      home_of_ids const home(num_ranks, largest);
      INFO(num_ranks << " ranks, ids up to " << largest);
      CHECK(home(0) == 0);
      for (global_id id = 0; id < largest; ++id)
        CHECK((home(id) <= home(id + 1) && home(id + 1) <= home(id) + 1));
      CHECK(home(largest) < num_ranks);
      CHECK(home(global_id{1} << 62) == num_ranks - 1);
    }
}

TEST_CASE("orders are stable, and equal keys are one range") {
  std::mt19937 random(11);
  std::vector<int> keys(60);
  for (int& key : keys)
    key = static_cast<int>(random() % 9);
  auto const order = order_by(keys.size(), [&](std::size_t i) { return keys[i]; });
  for (int i = 0; i + 1 < std::ssize(order); ++i)
    CHECK(std::pair(keys[order[i]], order[i]) < std::pair(keys[order[i + 1]], order[i + 1]));

  auto sorted = keys;
  std::ranges::sort(sorted);
  for (int key = -1; key <= 9; ++key)
    CHECK(std::ssize(those_with(key, std::span<int const>(sorted))) ==
          std::ranges::count(keys, key));
  auto distinct = keys;
  keep_distinct(distinct);
  CHECK(std::ranges::adjacent_find(distinct, std::greater_equal{}) == distinct.end());
  for (int key : keys)
    CHECK(std::ranges::count(distinct, key) == 1);
}
