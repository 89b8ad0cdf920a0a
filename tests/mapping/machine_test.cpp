// Machines from text: what trees they are, how they are written again, and what is refused.
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/machine.hpp>

#include <support/catch.hpp>

#include <map>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

std::vector<int> sizes_of(machine_level const& level) {
  std::vector<int> sizes;
  for (int part = 0; part < level.num_parts(); ++part)
    sizes.push_back(level.size_of(part));
  return sizes;
}

std::string refusal(std::string const& text) {
  try {
    parse_machine(text);
  } catch (usage_error const& refused) {
    return refused.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("every level divides the parts above it") {
  auto const cluster = parse_machine("node:4 package:2 core:12");
  CHECK(cluster.num_places() == 96);
  REQUIRE(cluster.levels().size() == 3);
  CHECK(sizes_of(cluster.levels()[0]) == std::vector<int>(4, 24));
  CHECK(sizes_of(cluster.levels()[1]) == std::vector<int>(8, 12));
  CHECK(sizes_of(cluster.levels()[2]) == std::vector<int>(96, 1));
  CHECK(cluster.levels()[1].name == "package");
}

TEST_CASE("a list gives each part above its own number") {
  auto const cluster = parse_machine("node:3 core:4,4,8");
  CHECK(sizes_of(cluster.nodes()) == std::vector<int>{4, 4, 8});
  auto const deep = parse_machine("node:2 numa:1,2 core:5,3,1");
  CHECK(sizes_of(deep.nodes()) == std::vector<int>{5, 4});
  CHECK(sizes_of(deep.levels()[1]) == std::vector<int>{5, 3, 1});
  CHECK(deep.levels()[1].places2parts() == std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 2});
}

TEST_CASE("nodes may be places themselves") {
  auto const cluster = parse_machine("node:7");
  CHECK(cluster.num_places() == 7);
  CHECK(sizes_of(cluster.nodes()) == std::vector<int>(7, 1));
}

TEST_CASE("a machine is written as it is read") {
  for (std::string const text :
       {"node:50 core:48", "node:4 package:2 core:12", "node:3 core:4,4,8",
        "node:2 package:2 numa:1,2,1,1 l3:2 core:3", "node:1", "node:2 core:2 rank:4,1,1,2",
        "node:101 core:48*100,28", "node:7 core:3,2*5,3"}) {
    CHECK(to_string(parse_machine(text)) == text);
    CHECK(parse_machine("  " + text + " ") == parse_machine(text));
  }
  CHECK(to_string(parse_machine("node:3 core:4,4,4")) == "node:3 core:4");
  CHECK(parse_machine("node:3 core:4*2,8") == parse_machine("node:3 core:4,4,8"));
}

TEST_CASE("fewer processes fill the first places") {
  auto const cluster = parse_machine("node:3 package:2 core:2");
  CHECK(to_string(cluster.first_places(7)) == "node:2 package:2 core:2,2,2,1");
  CHECK(cluster.first_places(12) == cluster);
  CHECK(to_string(cluster.first_places(1)) == "node:1 package:1 core:1");
  CHECK_THROWS_WITH(cluster.first_places(13), Contains("13 processes on 12 places"));
  CHECK_THROWS_AS(cluster.first_places(0), usage_error);
}

TEST_CASE("text that is no machine is refused with the reason") {
  std::map<std::string, std::string> const bad{
      {"", "does not begin with a number of nodes"},
      {"core:4", "does not begin with a number of nodes"},
      {"node:2,3 core:1", "does not begin with a number of nodes"},
      {"node", "'node' is no name with a count"},
      {"node:", "'' in 'node:' is no count"},
      {"node:0", "'0' in 'node:0' is no count of at least 1"},
      {"node:-2", "no count"},
      {"node:2x core:3", "'2x' in 'node:2x' is no count"},
      {"node:3 core:4,", "'core:4,' is no name with a count"},
      {"node:3 core:4,,4", "'' in 'core:4,,4' is no count"},
      {"node:3 core:4*2,", "'core:4*2,' is no name with a count"},
      {"node:3 core:4*", "'' in 'core:4*' is no count"},
      {"node:3 core:4*2*1", "'2*1' in 'core:4*2*1' is no count"},
      {"node:3 core:4*99999999", "more than 16777216 places"},
      {"node:2 socket:2", "'socket' is none of node, package, numa, l3, core, rank"},
      {"node:2 core:2 package:2", "package within core"},
      {"node:2 core:2 core:2", "core within core"},
      {"node:3 core:4,8", "2 numbers of cores for 3 parts"},
      {"node:99999999999", "no count"},
      {"node:65536 core:65536", "more than 16777216 places"}};
  for (auto const& [text, reason] : bad) {
    INFO(text);
    CHECK_THAT(refusal(text), Contains(reason) && Contains("machine '" + text + "'") &&
                                  Contains("node:4 package:2 core:12"));
  }
}

TEST_CASE("levels that do not divide each other are refused") {
  machine_level const places{"core", {0, 1, 2, 3, 4}};
  CHECK_NOTHROW(machine({{"node", {0, 2, 4}}, places}));
  CHECK_THROWS_AS(machine({}), usage_error);
  CHECK_THROWS_AS(machine({{"node", {0, 2, 4}}}), usage_error);
  CHECK_THROWS_AS(machine({{"node", {0, 2, 2, 4}}, places}), usage_error);
  CHECK_THROWS_AS(machine({{"node", {0, 2, 5}}, places}), usage_error);
  CHECK_THROWS_AS(machine({{"node", {0, 2, 4}}, {"package", {0, 1, 3, 4}}, places}), usage_error);
}
