// Chains: whatever order ghosts arrive in, no tile is computed before all that it reads is there.
#include <seam/exchange/waiting/detail/activity.hpp>
#include <seam/stencil/detail/sweep_chain.hpp>
#include <seam/stencil/detail/tiles.hpp>

#include <support/catch.hpp>
#include <support/hand_made_rounds.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::round_bringing;

namespace {

/// Edges that arrive one by one, in an order that a test gives, at each few looks.
class scripted final : public activity {
public:
  explicit scripted(std::vector<int> order) : order_(std::move(order)) {}

  void start() override {}
  void start_gated() override {}
  void open(int) override {}
  bool test() override {
    constexpr int looks_for_an_arrival = 5;
    return ++looks_ / looks_for_an_arrival >= std::ssize(order_);
  }
  bool arrived(int source) override {
    test();
    return is_there(source);
  }
  bool is_there(int source) const {
    auto const at = std::ranges::find(order_, source) - order_.begin();
    return looks_ / 5 > at;
  }

private:
  std::vector<int> order_;
  std::atomic<int> looks_ = 0;
};

} // namespace

TEST_CASE("no tile is computed before the messages and the copies behind them that it reads") {
  box<2> const owned{{0, 0}, {24, 20}};
  ghost_width<2> const reach{{1, 1}, {1, 1}};
  constexpr int me = 0, other = 1;
  // Axis 0 is divided; axis 1 is not, and its copies follow in a round behind the messages.
  std::vector<halo_round<2>> const rounds{
      round_bringing<2>({{other, {{-1, 0}, {0, 20}}}, {other, {{24, 0}, {25, 20}}}}),
      round_bringing<2>({{me, {{-1, -1}, {25, 0}}}, {me, {{-1, 20}, {25, 21}}}})};
  halo_arrivals<2> const arrivals(rounds, me);
  std::mt19937 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    auto tiles = cut(owned, 1 + static_cast<std::int64_t>(random() % 60));
    std::ranges::shuffle(tiles, random);
    std::vector<int> order(4);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    auto const script = std::make_shared<scripted>(order);
    in_flight arriving(script);
    sweep_chain<2> chain(tiles, reach, rounds, arrivals, {});
    std::atomic<std::int64_t> computed = 0, early = 0;
    chain.run(
        arriving, nullptr,
        [&](box<2> const& tile) {
          box<2> const read = grow(tile, reach.below, reach.above);
          for (int e = 0; e < 4; ++e)
            if (!intersection(read, arrivals.edges()[e].ghosts).is_empty())
              early += !script->is_there(e);
          computed += tile.num_cells();
        },
        [] {});
    CHECK(computed == owned.num_cells());
    CHECK(early == 0);
    arriving.wait();
  }
}
