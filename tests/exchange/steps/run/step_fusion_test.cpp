// How it is decided how many steps are fused. Times are made up.
#include <seam/exchange/steps/run/step_fusion.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <functional>

using namespace seam;
using namespace seam::detail;

namespace {

/// Notes times until all are known, and decides, until the choice is made. Returns the depth.
int depth_chosen(std::vector<int> const& depths, std::function<double(int depth)> const& seconds) {
  fusion_choice choice(depths);
  for (int stage = 0; stage < 2 && !choice.is_made(); ++stage) {
    for (int n = 0; n < 100 && !choice.is_measured(); ++n)
      choice.note(seconds(choice.depth()));
    REQUIRE(choice.is_measured());
    choice.decide(testing::all_ranks());
  }
  CHECK(choice.is_made());
  return choice.depth();
}

} // namespace

TEST_CASE("the depth at which the slowest rank is fastest is chosen on all ranks") {
  int const rank = testing::all_ranks().rank(), last = testing::all_ranks().size() - 1;
  // Each depth but 4 is slow on one rank.
  auto const seconds = [&](int depth) {
    if (depth == 2 && rank == last)
      return 9.0;
    return depth == 1 ? 1.0 : depth == 4 ? 0.5 : depth == 8 && rank == 0 ? 0.6 : 0.4;
  };
  CHECK(depth_chosen({1, 2, 4, 8}, seconds) == 4);
}

TEST_CASE("steps are not fused without a gain of 3 %") {
  CHECK(depth_chosen({1, 4}, [](int depth) { return depth == 1 ? 1.0 : 0.98; }) == 1);
  CHECK(depth_chosen({1, 4}, [](int depth) { return depth == 1 ? 1.0 : 0.96; }) == 4);
}

TEST_CASE("a gain that does not come again is none") {
  int calls = 0;
  // Fewer than four times each: until then a depth of 4 seems fast.
  auto const seconds = [&](int depth) {
    return ++calls <= 12 ? (depth == 4 ? 0.5 : 1.0) : depth == 4 ? 1.2 : 1.0;
  };
  CHECK(depth_chosen({1, 4, 8}, seconds) == 1);
  CHECK(calls == 3 * 4 + 2 * 8);
}

TEST_CASE("the first time of each depth does not count") {
  int calls = 0;
  auto const seconds = [&](int depth) { return ++calls == 2 ? 1e-9 : depth == 1 ? 1.0 : 2.0; };
  CHECK(depth_chosen({1, 4}, seconds) == 1);
}

TEST_CASE("a single depth needs no measurement") {
  CHECK(fusion_choice(3).is_made());
  CHECK(fusion_choice(3).depth() == 3);
  CHECK(fusion_choice(std::vector{1}).is_made());
  CHECK(fusion_choice(std::vector{1}).in_words() == "not fused");
}
