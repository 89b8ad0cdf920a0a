// Communicators carry their topology; base() leads back to the complete one.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/edge_list.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;

namespace {

/// A ring that also leads twice to the next rank but one, with weights; an edge to itself on rank
/// 0.
Topology odd_ring(int rank, int size) {
  auto const at = [&](int distance) { return (rank + distance + 2 * size) % size; };
  std::vector<edge> sources{{at(-1), 3}, {at(-2), 1}, {at(-2), 2}};
  std::vector<edge> destinations{{at(1), 3}, {at(2), 1}, {at(2), 2}};
  if (rank == 0) {
    sources.push_back({0, 7});
    destinations.push_back({0, 7});
  }
  return Topology::graph(sources, destinations);
}

} // namespace

TEST_CASE("a graph communicator has the edges it was made of, and so has its duplicate") {
  auto const world = testing::world();
  auto const wanted = odd_ring(world.rank(), world.size());
  auto const graph = make_graph(world, wanted);
  CHECK(graph.topology() == wanted);
  CHECK(graph.dup().topology() == wanted);
  CHECK(graph.rank() == world.rank());
}

TEST_CASE("a graph without any edges is legal") {
  auto const graph = make_graph(testing::world(), Topology::graph({}, {}));
  CHECK(graph.topology().is_graph());
  CHECK(graph.topology().sources().empty());
  CHECK(graph.topology().destinations().empty());
}

TEST_CASE("the base of a graph is complete and has the same ranks") {
  auto const world = testing::world();
  auto const base = make_graph(world, odd_ring(world.rank(), world.size())).base();
  CHECK(base.topology().is_complete());
  CHECK(base.rank() == world.rank());
  CHECK(mpi::allreduce(base, 1, MPI_SUM) == world.size());
}

TEST_CASE("a Cartesian communicator names its processes but is complete") {
  auto const world = testing::world();
  int const order[1] = {world.size()}, period[1] = {1};
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(world.view().native(), 1, order, period, 0, &cart);
  CHECK(Communicator::from_native(cart).topology() == Topology::complete());
}

TEST_CASE("the base of a bipartite communicator is the caller's own side") {
  auto const world = testing::world();
  if (world.size() == 1)
    return;
  int const side = world.rank() % 2;
  auto const bipartite = *world.two_sides(side);
  CHECK(bipartite.topology() == Topology::bipartite());
  auto const base = bipartite.base();
  CHECK(base.rank() == world.rank() / 2);
  CHECK(mpi::allreduce(base, side, MPI_MAX) == side);
  CHECK(mpi::allreduce(base, side, MPI_MIN) == side);
}

TEST_CASE("an edge to nowhere is refused on all ranks") {
  auto const world = testing::world();
  auto const beyond = world.rank() == 0 ? std::vector<edge>{{world.size()}} : std::vector<edge>{};
  CHECK_THROWS_WITH(make_graph(world, Topology::graph({}, beyond)),
                    Catch::Contains("is no rank of the communicator") &&
                        Catch::Contains("first on rank 0"));
  CHECK_THROWS_AS(make_graph(world, Topology::complete()), usage_error);
}

TEST_CASE("every rank draws the same tags") {
  auto const world = testing::world();
  for (int k = 0; k < 3; ++k)
    CHECK(mpi::allreduce(world, world.draw_tags(2), MPI_MAX) == 2 * k);
  CHECK_THROWS_WITH(world.draw_tags(1'000'000), Catch::Contains("expected at most"));
}

TEST_CASE("a communicator can be closed early") {
  auto world = testing::world();
  auto copy = world.dup();
  CHECK_NOTHROW(copy.close());
  CHECK(mpi::allreduce(world, 1, MPI_SUM) == world.size());
}

namespace {

/// A directed cycle with a shortcut back, of which every rank knows the whole.
Topology cycle(int rank, int size) {
  std::vector<edge> sources{{(rank + size - 1) % size, 7}}, destinations{{(rank + 1) % size, 7}};
  destinations.push_back({(rank + 2 * size - 2) % size, 9});
  sources.push_back({(rank + 2) % size, 9});
  return Topology::graph(sources, destinations);
}

} // namespace

TEST_CASE("parts of a graph get the subgraph that they induce, order and weights kept") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  Communicator const graph = make_graph(world, cycle(rank, size));
  int const color = rank % 2;
  auto const part = graph.split(color, -rank);
  REQUIRE(part.has_value());
  // The part has the ranks in reverse order.
  auto const there = [&](int old) {
    int higher = 0;
    for (int other = old + 1; other < size; ++other)
      higher += other % 2 == color;
    return higher;
  };
  CHECK(part->rank() == there(rank));
  auto const induced = [&](std::span<edge const> edges) {
    std::vector<edge> kept;
    for (edge const& listed : edges)
      if (listed.rank % 2 == color)
        kept.push_back({there(listed.rank), listed.weight});
    return kept;
  };
  CHECK(part->topology() == Topology::graph(induced(graph.topology().sources()),
                                            induced(graph.topology().destinations())));
  CHECK(graph.split(rank == 0 ? 0 : MPI_UNDEFINED, 0).has_value() == (rank == 0));
  CHECK(graph.split_shared().topology().is_graph());
  CHECK(graph.split_type(rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0).has_value() ==
        (rank != 0));
  CHECK(graph.dup().topology() == graph.topology());
}

TEST_CASE("groups make subgraphs too, collectively or among themselves") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  Communicator const graph = make_graph(world, cycle(rank, size));
  int const count = (size + 1) / 2;
  std::vector<int> first(count);
  for (int r = 0; r < count; ++r)
    first[r] = r;
  mpi::group all, low;
  MPI_Comm_group(world.view().native(), all.receive());
  MPI_Group_incl(all.native(), count, first.data(), low.receive());
  auto const made = graph.create(low.native());
  CHECK(made.has_value() == (rank < count));
  if (!made)
    return;
  auto const alone = graph.create_group(low.native(), 3);
  CHECK(alone.topology() == made->topology());
  for (edge const& destination : alone.topology().destinations())
    CHECK(destination.rank < count);
}

TEST_CASE("a graph may be made of edges that any rank lists") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  // Each rank lists the edge to the next one, twice, for the process two ranks before itself.
  auto const listed_by = [&](int r) { return (r + 2 * size - 2) % size; };
  auto const next = [&](int r) { return (r + 1) % size; };
  int const from = listed_by(rank);
  auto const found = topology_from(world, std::vector<listed_edge>{{from, next(from), rank},
                                                                   {from, next(from), rank + 10}});
  int const lister = (rank + 2) % size, before = (rank + size - 1) % size;
  int const lister_before = (before + 2) % size;
  CHECK(found == Topology::graph({{before, lister_before}, {before, lister_before + 10}},
                                 {{next(rank), lister}, {next(rank), lister + 10}}));
  CHECK(make_graph(world, found).topology() == found);
  CHECK_THROWS_WITH(topology_from(world, std::vector<listed_edge>{{0, size * rank, 1}, {0, -1}}),
                    Catch::Contains("graph: an edge from 0 to"));
}

TEST_CASE("edges that lead nowhere keep their place") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int const before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  auto const line = Topology::graph({{before}, {next}}, {{next}, {before}});
  Communicator const graph = make_graph(world, line);
  CHECK(graph.topology() == line);
  CHECK(graph.dup().topology() == line);
  CHECK(Communicator::dup(graph).topology() == line);
}

TEST_CASE("copies that MPI makes of a graph have all its edges and its structure") {
  auto const world = testing::world();
  int const rank = world.rank();
  auto const own =
      Topology::graph({{MPI_PROC_NULL, 2}, {rank, 3}}, {{MPI_PROC_NULL, 4}, {rank, 3}});
  auto const structure = std::make_shared<cartesian_structure>();
  MPI_Comm graph = make_graph(world, own, structure).give_to_mpi();
  MPI_Comm copy = MPI_COMM_NULL, second = MPI_COMM_NULL;
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  MPI_Comm_dup(copy, &second);
  CHECK(topology_of(copy) == own);
  CHECK(Communicator::attached_to(copy).topology() == own);
  CHECK(Communicator::attached_to(copy).structure() == structure);
  CHECK(Communicator::dup(copy).structure() == structure);
  MPI_Comm_free(&copy);
  CHECK(Communicator::from_native(second).topology() == own);
}

TEST_CASE("edges that lead nowhere keep their place in parts of a graph") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  // Edges along a line, and from each rank to itself.
  int const next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int const before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  auto const line = Topology::graph({{before}, {rank, 5}, {next}}, {{next}, {rank, 5}, {before}});
  Communicator const graph = make_graph(world, line);
  CHECK(graph.split(0, rank)->topology() == line);
  auto const alone = graph.split(rank, 0)->topology();
  std::vector<edge> out{{0, 5}}, in = out;
  if (next == MPI_PROC_NULL)
    out.insert(out.begin(), {MPI_PROC_NULL}), in.push_back({MPI_PROC_NULL});
  if (before == MPI_PROC_NULL)
    in.insert(in.begin(), {MPI_PROC_NULL}), out.push_back({MPI_PROC_NULL});
  CHECK(alone == Topology::graph(in, out));
}
