// Explanations: who is told what, and how often.
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/explanations.hpp>
#include <seam/exchange/operation.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace seam;
using Catch::Matchers::Contains;

namespace {

/// What is explained as long as it lives.
class listening {
public:
  listening() {
    explain_to([this](std::string const& text) { heard.push_back(text); });
  }
  listening(listening const&) = delete;
  listening& operator=(listening const&) = delete;
  ~listening() { explain_to({}); }

  std::vector<std::string> heard;
};

} // namespace

TEST_CASE("rank 0 tells each text once, and only to who listens") {
  auto const world = testing::world();
  auto const tell = [&](std::string const& text) {
    explain(world.context(), [&] { return text; });
  };
  CHECK_FALSE(explanations_are_on());
  tell("unheard");
  {
    listening const ear;
    CHECK(explanations_are_on());
    tell("a");
    tell("b");
    tell("a");
    CHECK(ear.heard ==
          (world.rank() == 0 ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{}));
  }
  listening const ear;
  tell("a");
  CHECK(ear.heard.size() == (world.rank() == 0 ? 1U : 0U));
}

TEST_CASE("a persistent operation tells what goes to whom and how") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  auto const ring =
      make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
  std::vector<int> const send(5, rank);
  std::vector<int> receive(5);
  listening const ear;
  auto const kept = prepare(ring, alltoall(send, receive)),
             again = prepare(ring, alltoall(send, receive));
  REQUIRE(ear.heard.size() == (rank == 0 ? 1U : 0U));
  if (rank != 0)
    return;
  CHECK_THAT(ear.heard[0], Contains(fmt::format("exchange among {} rank", size)) &&
                               Contains(fmt::format("sends {} bytes to {} other", size > 1 ? 20 : 0,
                                                    size > 1 ? 1 : 0)));
  if (size > 1)
    CHECK_THAT(ear.heard[0], Contains("rank 1: 20 bytes, 1 message by "));
}
