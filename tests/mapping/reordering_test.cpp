// Reordered communicators on virtual nodes: which process has which rank and edges, what arrives
// along them, and that the reported volumes are those between the processes as they are.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/rank_mapping.hpp>
#include <seam/mapping/reordering.hpp>

#include <support/catch.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

using vec = std::vector<int>;

/// An environment variable for as long as it lives.
class variable {
public:
  variable(char const* name, std::string const& text) : name_(name) {
    setenv(name, text.c_str(), 1);
  }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;
  ~variable() { unsetenv(name_); }

private:
  char const* name_;
};

constexpr char const* machine_text = "node:4 core:2";

/// The ranks dealt out to virtual nodes like cards, as mpiexec --map-by node does.
placement dealt_out(int num_ranks) {
  auto placed = place_in_order(parse_machine(machine_text), num_ranks);
  auto const nodes = placed.tree.nodes();
  int rank = 0;
  for (int round = 0; rank < num_ranks; ++round)
    for (int node = 0; node < nodes.num_parts(); ++node)
      if (round < nodes.size_of(node))
        placed.ranks2places[rank++] = nodes.parts2firsts[node] + round;
  return placed;
}

CartesianNaming naming_for(int num_processes, int num_dimensions, dimension_order order) {
  return {num_processes, dims_create(num_processes, vec(num_dimensions, 0)),
          std::vector<bool>(num_dimensions, true), std::move(order)};
}

/// What the ranks of a communicator were called in the world. Collective.
vec ranks_in_world(Communicator const& comm) {
  return mpi::allgather(comm.context(), mpi::comm_view(MPI_COMM_WORLD).rank());
}

/// The volume between virtual nodes that the processes of a graph see, each its own edges.
/// Collective.
cut_volume volume_as_it_is(Communicator const& graph, placement const& placed) {
  auto const new2old = ranks_in_world(graph);
  auto const places2nodes = placed.tree.nodes().places2parts();
  auto const node_of = [&](int rank) { return places2nodes[placed.ranks2places[new2old[rank]]]; };
  std::vector<std::int64_t> leaving(placed.tree.nodes().num_parts(), 0), entering = leaving;
  int const mine = node_of(graph.rank());
  for (edge const& to : graph.topology().destinations())
    if (!to.leads_nowhere() && node_of(to.rank) != mine) {
      leaving[mine] += to.weight;
      entering[node_of(to.rank)] += to.weight;
    }
  mpi::allreduce(graph.context(), std::span(leaving), MPI_SUM);
  mpi::allreduce(graph.context(), std::span(entering), MPI_SUM);
  return {std::accumulate(leaving.begin(), leaving.end(), std::int64_t{0}),
          std::max(std::ranges::max(leaving), std::ranges::max(entering))};
}

/// Along every edge arrives what its other end has sent along it.
void check_exchange(Communicator const& graph, testing::random_graph const& edges) {
  int const rank = graph.rank();
  vec send(graph.topology().destinations().size()), receive(graph.topology().sources().size(), -1);
  std::iota(send.begin(), send.end(), 1000 * rank);
  run(graph, alltoall(send, receive));
  for (int e = 0; e < std::ssize(receive); ++e)
    CHECK(receive[e] == 1000 * edges.sources(rank)[e].rank + edges.other_end(rank, int(e)));
}

} // namespace

TEST_CASE("a rank has the edges that were given for it, whoever has the rank") {
  auto const world = testing::world();
  variable const machine("SEAM_MACHINE", machine_text);
  std::mt19937 random(5);
  for (int trial = 0; trial < 5; ++trial) {
    testing::random_graph const edges(world.size(), random);
    for (auto const* strategy : {"identity", "random", "blocked", "scotch", "pt-scotch", "best"}) {
      auto const [graph, report] =
          make_reordered_graph(world, edges.topology(world.rank()), {.strategy = strategy});
      CHECK(graph.topology() == edges.topology(graph.rank()));
      check_exchange(graph, edges);
    }
  }
}

TEST_CASE("the reported volumes are those between the processes") {
  auto const world = testing::world();
  auto const placed = dealt_out(world.size());
  std::mt19937 random(6);
  for (int trial = 0; trial < 5; ++trial) {
    testing::random_graph const edges(world.size(), random);
    auto const topology = edges.topology(world.rank());
    auto const before = volume_as_it_is(make_graph(world, topology), placed);
    for (auto const* strategy : {"identity", "random", "pt-scotch", "best"}) {
      auto const [graph, report] =
          make_reordered_graph(world, topology, {.strategy = strategy, .placed = placed});
      CHECK(report.before.front().volume == before);
      CHECK(report.after.front().volume == volume_as_it_is(graph, placed));
      auto const new2old = ranks_in_world(graph);
      CHECK(report.num_moved == [&] {
        int moved = 0;
        for (int rank = 0; rank < graph.size(); ++rank)
          moved += new2old[rank] != rank ? 1 : 0;
        return moved;
      }());
      if (std::string(strategy) == "best" || std::string(strategy) == "pt-scotch") {
        CHECK(report.after.front().volume.sum <= before.sum);
        CHECK(report.after.front().volume.worst <= before.worst);
      }
    }
  }
}

TEST_CASE("named processes keep their names and neighbors") {
  auto const world = testing::world();
  variable const machine("SEAM_MACHINE", machine_text);
  for (int d = 1; d <= 3; ++d)
    for (auto const& order : {dimension_order::row_major(), dimension_order::column_major()}) {
      auto const naming = naming_for(world.size(), d, order);
      for (auto const* strategy : {"random", "best"}) {
        auto const [grid, report] = reorder(world, naming, von_neumann(1), {.strategy = strategy});
        REQUIRE(naming_of(grid.view()) != nullptr);
        CHECK(*naming_of(grid.view()) == naming);
        CHECK_FALSE(grid.topology().is_graph());
        auto sorted = ranks_in_world(grid);
        std::ranges::sort(sorted);
        CHECK(std::ranges::adjacent_find(sorted) == sorted.end());

        auto const named = world.dup();
        name(named.view(), naming);
        auto const [graph, again] = make_reordered_graph(
            named, make_topology(naming, world.rank(), von_neumann(1)), {.strategy = strategy});
        CHECK(graph.topology() == make_topology(naming, graph.rank(), von_neumann(1)));
        CHECK(*naming_of(graph.view()) == naming);
        CHECK(graph.structure() != nullptr);
        CHECK(again.before == report.before);
        CHECK(again.after == report.after);
        CHECK(ranks_in_world(graph) == ranks_in_world(grid));
      }
    }
}

TEST_CASE("all ranks plan together what none knows, also within nodes") {
  auto const world = testing::world();
  int const size = world.size();
  auto const naming = naming_for(size, 1, dimension_order::row_major());
  for (auto const* text : {"node:4 core:2", "node:2 package:2 core:2", "node:1 package:4 core:2",
                           "node:3 package:1,2,1 core:1,2,2,3"}) {
    variable const machine("SEAM_MACHINE", text);
    auto const joint = reorder(world, naming, von_neumann(1), {.strategy = "pt-scotch"});
    auto const graph =
        make_graph(joint.comm, make_topology(naming, joint.comm.rank(), von_neumann(1)));
    CHECK(joint.report.after.front().volume ==
          volume_as_it_is(graph, place_in_order(parse_machine(text), size)));
    CHECK(is_no_worse(joint.report.after, joint.report.before));
    auto const again = reorder(world, naming, von_neumann(1), {.strategy = "pt-scotch"});
    CHECK(ranks_in_world(again.comm) == ranks_in_world(joint.comm));
  }
  auto const report =
      reorder(world, naming, von_neumann(1), {.strategy = "pt-scotch", .placed = dealt_out(size)})
          .report;
  if (size == 8) // in order, each node would send along all of its 4 edges
    CHECK(report.after.front().volume.sum < report.before.front().volume.sum);
}

TEST_CASE("a ring dealt out to nodes comes together again") {
  auto const world = testing::world();
  int const size = world.size();
  auto const naming = naming_for(size, 1, dimension_order::row_major());
  auto const placed = dealt_out(size);
  auto const report = reorder(world, naming, von_neumann(1), {.placed = placed}).report;
  int const num_nodes = placed.tree.nodes().num_parts();
  // Each node cuts the ring twice, each cut in both directions.
  CHECK(report.after.front().volume.sum == (num_nodes > 1 ? 2 * num_nodes : 0));
  CHECK(report.machine == to_string(placed.tree));
  CHECK_THAT(to_string(report), Contains("ranks moved in") && Contains(report.strategy));
}

TEST_CASE("weights decide which edges stay within a node") {
  auto const world = testing::world();
  if (world.size() != 8)
    return;
  CartesianNaming const naming(8, {2, 4}, {false, false});
  auto const placed = place_in_order(parse_machine(machine_text), 8);
  auto const heavy_along = [&](int k) {
    vec const weights = k == 0 ? vec{9, 9, 1, 1} : vec{1, 1, 9, 9};
    auto const around = offsets({{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, weights);
    return reorder(world, naming, around, {.strategy = "best", .placed = placed}).report.after;
  };
  CHECK(heavy_along(0).front().volume.sum == 12);        // pairs along 0: all six edges along 1 cut
  CHECK(heavy_along(1).front().volume.sum == 4 * 9 + 8); // pairs along 1
}

TEST_CASE("without a strategy one node stays as it is, and SEAM_REORDERING has its way") {
  auto const world = testing::world();
  int const size = world.size();
  auto const naming = naming_for(size, 1, dimension_order::row_major());
  {
    variable const machine("SEAM_MACHINE", "node:1 package:2 core:4");
    auto const report = reorder(world, naming, moore(1)).report;
    CHECK(report.strategy == "identity");
    CHECK(report.num_moved == 0);
  }
  variable const machine("SEAM_MACHINE", machine_text);
  variable const strategy("SEAM_REORDERING", "random");
  CHECK(reorder(world, naming, moore(1)).report.strategy == "random");
  CHECK(reorder(world, naming, moore(1), {.strategy = "blocked"}).report.strategy == "blocked");
}

TEST_CASE("grids with holes and unnamed processes are reordered as graphs") {
  auto const world = testing::world();
  int const size = world.size();
  for (int const points : {std::max(1, size - 1), size + 2}) {
    CartesianNaming const naming(size, {points}, {false});
    auto const [line, report] =
        reorder(world, naming, von_neumann(1), {.strategy = "best", .placed = dealt_out(size)});
    CHECK(*naming_of(line.view()) == naming);
    auto const graph = make_graph(line, make_topology(naming, line.rank(), von_neumann(1)));
    CHECK(report.after.front().volume == volume_as_it_is(graph, dealt_out(size)));
  }
}

TEST_CASE("edges that lead nowhere keep their places") {
  auto const world = testing::world();
  int const size = world.size(), rank = world.rank();
  auto const next = [&](int r) { return edge{r + 1 < size ? r + 1 : MPI_PROC_NULL, 3}; };
  auto const previous = [&](int r) { return edge{r > 0 ? r - 1 : MPI_PROC_NULL, 3}; };
  auto const line = [&](int r) {
    return Topology::graph({previous(r), next(r)}, {next(r), previous(r)});
  };
  auto const [graph, report] =
      make_reordered_graph(world, line(rank), {.strategy = "random", .placed = dealt_out(size)});
  CHECK(graph.topology() == line(graph.rank()));
}

TEST_CASE("mistakes are the same line on all ranks") {
  auto const world = testing::world();
  auto const placed = dealt_out(world.size());
  auto const naming = naming_for(world.size(), 1, dimension_order::row_major());
  auto const refusal = [&](auto&& run) -> std::string {
    try {
      run();
    } catch (usage_error const& refused) {
      CHECK(refused.on_all_ranks());
      std::string first = refused.what();
      mpi::bcast(world.context(), first, 0);
      CHECK(first == refused.what());
      return refused.what();
    }
    return "accepted";
  };
  CHECK_THAT(
      refusal([&] { reorder(world, naming, moore(1), {.strategy = "fastest", .placed = placed}); }),
      Contains("strategy 'fastest'"));
  CHECK_THAT(refusal([&] {
               reorder(world, naming, moore(1),
                       {.placed = dealt_out(world.size() < 8 ? world.size() + 1 : 7)});
             }),
             Contains("reordering: placed for"));
  if (world.size() > 1)
    CHECK_THAT(refusal([&] {
                 reorder(world, naming, moore(1),
                         {.strategy = world.rank() == 1 ? "pt-scotch" : "best", .placed = placed});
               }),
               Contains("reordering: strategy pt-scotch") && Contains("the same on all ranks"));
  CHECK_THAT(refusal([&] { make_reordered_graph(world, Topology::complete()); }),
             Contains("no edges"));
  CHECK_THAT(refusal([&] { make_reordered_graph(world, Topology::graph({}, {{world.size()}})); }),
             Contains("an edge to rank"));
  if (placed.tree.nodes().num_parts() > 1) {
    // An edge that only its begin knows of.
    checks_in_scope const unchecked(false); // they would find it first
    auto const one_ended =
        Topology::graph({}, world.rank() == 0 ? std::vector<edge>{{1}} : std::vector<edge>{});
    CHECK_THAT(refusal([&] {
                 make_reordered_graph(world, one_ended,
                                      {.strategy = "pt-scotch", .placed = placed});
               }),
               Contains("graphCheck") && Contains("failed"));
  }
  if (placed.tree.nodes().num_parts() > 1)
    CHECK_THAT(refusal([&] {
                 make_reordered_graph(world, Topology::graph({}, {}),
                                      {.strategy = "guillotine", .placed = placed});
               }),
               Contains("'guillotine' does not fit"));
  CHECK_THAT(
      refusal([&] { reorder(world, CartesianNaming(world.size() + 1, {2}, {false}), moore(1)); }),
      Contains("reordering: a naming for"));
}
