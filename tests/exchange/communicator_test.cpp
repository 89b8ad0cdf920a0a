// Communicators carry their topology; base() leads back to the complete one.
#include <seam/exchange/communicator.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

using namespace seam;

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
  CHECK(base.topology().kind() == topology_kind::complete);
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
  mpi::comm const half = mpi::split(world, side, world.rank());
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(half.native(), 0, world.view().native(), 1 - side, 5, &inter);
  auto const bipartite = Communicator::from_native(inter);
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
