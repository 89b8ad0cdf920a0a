// Seatings: the real machine under the test run, and virtual ones in its place.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/placement.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdlib>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

/// SEAM_MACHINE for as long as it lives.
class machine_variable {
public:
  explicit machine_variable(std::string const& text) { setenv("SEAM_MACHINE", text.c_str(), 1); }
  machine_variable(machine_variable const&) = delete;
  machine_variable& operator=(machine_variable const&) = delete;
  ~machine_variable() { unsetenv("SEAM_MACHINE"); }
};

} // namespace

TEST_CASE("the real machine has a place for every rank, nodes by shared memory") {
  auto const world = testing::world();
  auto const placed = gather_placement(world);
  CHECK(placed.tree.num_places() == world.size());
  CHECK_NOTHROW(inverse_permutation(placed.ranks2places));
  auto const nodes = placed.tree.nodes().places2parts();
  auto const node = world.split_shared();
  int const mine = nodes[placed.ranks2places[world.rank()]];
  CHECK(placed.tree.nodes().size_of(mine) == node.size());
  CHECK(mpi::allreduce(node.context(), mine, MPI_MIN) == mine);
  CHECK(mpi::allreduce(node.context(), mine, MPI_MAX) == mine);
  CHECK(std::ssize(placed.nodes2hosts) == placed.tree.nodes().num_parts());
  CHECK_THAT(describe(placed),
             Contains("machine node:") && Contains(placed.nodes2hosts[0]) && Contains("ranks 0"));
}

TEST_CASE("all ranks know the same placement") {
  auto const world = testing::world();
  auto const placed = gather_placement(world);
  std::string text = describe(placed) + to_string(placed.tree);
  mpi::bcast(world.context(), text, 0);
  CHECK(text == describe(placed) + to_string(placed.tree));
}

TEST_CASE("the placement that one rank gathers is the one that all gather") {
  auto const world = testing::world();
  for (auto const* given : {"", "node:8 core:2"}) {
    machine_variable const machine(given);
    auto const known = gather_placement(world);
    for (int const root : {0, world.size() - 1}) {
      auto const placed = gather_placement(world, root);
      REQUIRE(placed.has_value() == (world.rank() == root));
      if (placed) {
        CHECK(describe(*placed) == describe(known));
        CHECK(placed->ranks2places == known.ranks2places);
        CHECK(placed->ranks2bindings == known.ranks2bindings);
      }
    }
  }
}

TEST_CASE("a reversed communicator has the same machine") {
  auto const world = testing::world();
  auto const reversed = mpi::split(world.view(), 0, world.size() - world.rank());
  auto const placed = gather_placement(world), turned = gather_placement(reversed);
  CHECK(turned.tree.num_places() == placed.tree.num_places());
  CHECK(turned.tree.nodes().num_parts() == placed.tree.nodes().num_parts());
  CHECK_NOTHROW(inverse_permutation(turned.ranks2places));
}

TEST_CASE("SEAM_MACHINE gives virtual nodes, filled in order") {
  auto const world = testing::world();
  machine_variable const given("node:8 core:2");
  auto const placed = gather_placement(world);
  CHECK(placed.tree == parse_machine("node:8 core:2").first_places(world.size()));
  CHECK(placed.tree.nodes().num_parts() == (world.size() + 1) / 2);
  CHECK(std::ranges::is_sorted(placed.ranks2places));
  CHECK(placed.nodes2hosts.front() == "virtual-0");
}

TEST_CASE("a bad SEAM_MACHINE is the same error on all ranks") {
  auto const world = testing::world();
  for (auto const& [text, reason] :
       {std::pair("nodes:2", "'nodes' is none of"), std::pair("node:1 core:0", "no count")}) {
    machine_variable const given(text);
    try {
      gather_placement(world);
      FAIL("accepted");
    } catch (usage_error const& refused) {
      CHECK(refused.on_all_ranks());
      CHECK_THAT(refused.what(), Contains(reason));
    }
  }
  if (world.size() > 1) {
    machine_variable const given("node:1");
    CHECK_THROWS_WITH(gather_placement(world), Contains("on 1 places of 'node:1'"));
  }
}
