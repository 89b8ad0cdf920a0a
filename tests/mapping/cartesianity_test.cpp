// Stencil graphs are recognized whatever their edges' order, and combined messages bring what
// direct ones do, in the rounds and blocks that the theory counts.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/planning/exchange_counts.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>
#include <seam/mapping/reordering.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <random>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr network_model latency_alone{.latency = 1, .seconds_per_byte = 0};
constexpr network_model bandwidth_alone{.latency = 0, .seconds_per_byte = 1};

/// A world of named processes and the graph of a neighborhood on it.
struct named_grid {
  named_grid(int num_dimensions, unsigned periodic_mask, neighborhood const& around)
      : world(testing::world()) {
    std::vector<int> const free(num_dimensions);
    std::vector<bool> periodic;
    for (int d = 0; d < num_dimensions; ++d)
      periodic.push_back((periodic_mask >> d & 1U) != 0);
    CartesianNaming const naming(world.size(), dims_create(world.size(), free), periodic);
    name(world.view(), naming);
    topology = make_topology(naming, world.rank(), around);
  }

  Communicator world;
  Topology topology = Topology::complete();
};

/// Edges in another order, those to the same rank in their own.
std::vector<edge> shuffled(std::span<edge const> edges, unsigned seed) {
  std::vector<edge> all(edges.begin(), edges.end());
  std::ranges::stable_sort(all, {}, [=](edge const& each) {
    return (static_cast<unsigned>(each.rank) * 2654435761U + seed * 40503U) % 1009U;
  });
  return all;
}

template <class MakeCollective>
std::vector<double> result(Communicator const& over, std::size_t length, MakeCollective make) {
  std::vector<double> receive(over.topology().sources().size() * length, -1.0);
  operation exchange = prepare(over, make(receive));
  exchange.run();
  auto const first = receive;
  std::ranges::fill(receive, -1.0);
  exchange.run();
  CHECK(receive == first);
  return receive;
}

void compare(named_grid const& grid, std::size_t length) {
  int const rank = grid.world.rank();
  auto const topology = Topology::graph(shuffled(grid.topology.sources(), 1),
                                        shuffled(grid.topology.destinations(), 2));
  set_network(latency_alone);
  Communicator const combined = make_named_graph(grid.world, topology);
  REQUIRE(combined.structure() != nullptr);
  Communicator const direct = make_graph(grid.world, topology);
  std::vector<double> send(topology.destinations().size() * length), block(length);
  for (int k = 0; k < std::ssize(send); ++k)
    send[k] = 1000.0 * rank + k;
  std::ranges::fill(block, rank + 0.5);
  auto const blocks_of = [&](std::vector<double>& all) {
    return elements{all.data(), static_cast<std::int64_t>(length), MPI_DOUBLE};
  };
  auto const exchange = [&](std::vector<double>& receive) {
    return alltoall(blocks_of(send), blocks_of(receive));
  };
  CHECK(result(combined, length, exchange) == result(direct, length, exchange));
  auto const gather = [&](std::vector<double>& receive) { return allgather(block, receive); };
  CHECK(result(combined, length, gather) == result(direct, length, gather));
}

cartesian_structure infinite_grid(int num_dimensions, neighborhood const& around) {
  cartesian_structure on;
  auto const d = num_dimensions;
  on.extent.assign(d, 1000);
  on.periodic.assign(d, true);
  on.stride.assign(d, 1);
  on.place.assign(d, 0);
  auto const offsets = around.expand(num_dimensions);
  for (int i = 0; i < std::ssize(offsets); ++i)
    on.vectors.emplace_back(offsets[i].begin(), offsets[i].end());
  std::ranges::sort(on.vectors);
  return on;
}

} // namespace

TEST_CASE("rounds and blocks are those that the theory counts") {
  struct row {
    int dimensions, radius, vectors, messages;
    std::int64_t alltoall, allgather;
  };
  for (row const& expected :
       {row{2, 1, 8, 4, 12, 8}, row{2, 2, 24, 8, 40, 24}, row{3, 1, 26, 6, 54, 26},
        row{3, 2, 124, 12, 300, 124}, row{4, 1, 80, 8, 216, 80}, row{5, 1, 242, 10, 810, 242}}) {
    auto const on = infinite_grid(expected.dimensions, moore(expected.radius));
    CHECK(direct_counts(on) == exchange_counts{expected.vectors, expected.vectors});
    CHECK(combined_alltoall_counts(on) == exchange_counts{expected.messages, expected.alltoall});
    CHECK(combined_allgather_counts(on) == exchange_counts{expected.messages, expected.allgather});
  }
  auto const large = infinite_grid(5, moore(2));
  CHECK(direct_counts(large) == exchange_counts{3124, 3124});
  CHECK(combined_alltoall_counts(large) == exchange_counts{20, 12500});
  if (mpi::comm_view(MPI_COMM_WORLD).size() == 1) // it takes a while
    CHECK(combined_allgather_counts(large) == exchange_counts{20, 3124});
  auto const diamond = infinite_grid(3, von_neumann(2));
  CHECK(direct_counts(diamond) == exchange_counts{24, 24});
  CHECK(combined_alltoall_counts(diamond) == exchange_counts{12, 36});
  auto const faces = infinite_grid(3, von_neumann(1));
  CHECK(combined_alltoall_counts(faces) == direct_counts(faces));
}

TEST_CASE("vectors to one process share its message on short grids") {
  auto on = infinite_grid(3, moore(1));
  on.extent = {2, 1, 1};
  CHECK(direct_counts(on) == exchange_counts{1, 18});
  CHECK(direct_counts(on, vector_bytes(26, 1000)) == exchange_counts{18, 18000});
  CHECK(direct_allgather_counts(on) == exchange_counts{1, 1, 25});
  CHECK_FALSE(can_combine(on));
  on.periodic = {true, false, true};
  CHECK(direct_counts(on).messages == 5);
  CHECK(direct_allgather_counts(infinite_grid(3, moore(1))) == exchange_counts{26, 26, 0});
}

TEST_CASE("combining is chosen where it pays, by latency and bandwidth") {
  auto on = infinite_grid(3, moore(1));
  on.network = {.latency = 1.5e-6, .seconds_per_byte = 1 / 12e9};
  auto const pays = [&](std::int64_t bytes) {
    return combining_pays(on, direct_counts(on), combined_alltoall_counts(on), bytes);
  };
  CHECK(pays(8));
  // 20 messages fewer, 26 blocks against 54 that count six times: 18 KB * 20 / (6 * 54 - 26).
  CHECK(pays(1200));
  CHECK_FALSE(pays(1220));
  auto const gathering = combined_allgather_counts(on);
  CHECK(combining_pays(on, direct_counts(on), gathering, 2700));
  CHECK_FALSE(combining_pays(on, direct_counts(on), gathering, 2800));
}

TEST_CASE("combined messages bring what direct ones do") {
  for (unsigned mask = 0; mask < 8; ++mask)
    for (std::size_t length : {1U, 7U}) {
      compare(named_grid(1, mask, moore(2)), length);
      compare(named_grid(2, mask, moore(1)), length);
      compare(named_grid(2, mask, von_neumann(2)), length);
      compare(named_grid(3, mask, moore(1)), length);
      compare(named_grid(4, mask, moore(1)), length);
    }
}

TEST_CASE("directed lists that repeat, and lead back, combine too") {
  for (unsigned mask = 0; mask < 4; ++mask) {
    compare(named_grid(2, mask, offsets({{1, 2}, {0, 0}, {1, 2}, {-1, 1}, {0, 0}})), 3);
    compare(named_grid(2, mask, offsets({{1, 1}})), 2);
    compare(named_grid(3, mask, offsets({{1, 0, -1}, {0, 2, 1}, {1, 1, 1}, {-1, 0, 0}})), 2);
  }
}

TEST_CASE("combined messages are as few as the phases say") {
  set_network(latency_alone);
  named_grid const grid(3, 7, moore(1));
  Communicator const graph = make_named_graph(grid.world, grid.topology);
  std::vector<double> send(26), receive(26), block(1);
  auto const combined = prepare(graph, alltoall(send, receive)).num_messages();
  auto const gathered = prepare(graph, allgather(block, receive)).num_messages();
  CHECK(combined <= 6);
  CHECK(gathered <= 6);
  CHECK((combined > 0) == (grid.world.size() > 1));
  set_network(bandwidth_alone);
  Communicator const direct = make_named_graph(grid.world, grid.topology);
  auto const apart = prepare(direct, alltoall(send, receive));
  CHECK(apart.num_messages() <= grid.world.size() - 1);
}

TEST_CASE("a graph that is no stencil is not taken for one") {
  named_grid const grid(1, 1, von_neumann(1));
  int const rank = grid.world.rank(), size = grid.world.size();
  if (size < 3)
    return;
  // All edges lead to rank 0.
  std::vector<edge> everybody;
  for (int other = 0; other < size; ++other)
    everybody.push_back({other});
  auto const star = Topology::graph(rank == 0 ? everybody : std::vector<edge>(), {{0}});
  CHECK(cartesian_structure_of(grid.world, star) == nullptr);
  Communicator const unnamed = grid.world.dup();
  CHECK(cartesian_structure_of(unnamed, grid.topology) == nullptr);
}

TEST_CASE("processes without edges need not say how long blocks are") {
  set_network(latency_alone);
  // On 4 x 3 processes two have no edges, and blocks of others would pass through them.
  named_grid const grid(2, 0, offsets({{1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 2}, {3, 2}}));
  Communicator const graph = make_named_graph(grid.world, grid.topology);
  auto const sources = grid.topology.sources();
  std::size_t const num_out = grid.topology.destinations().size(), length = 3;
  bool const alone = sources.empty() && num_out == 0;
  double const mine = grid.world.rank() + 0.5;
  std::vector<double> const block(alone ? 0 : length, mine), blocks(num_out * length, mine);
  std::vector<double> receive(sources.size() * length), expected;
  for (edge const& source : sources)
    expected.insert(expected.end(), length, source.rank + 0.5);
  auto const check = [&](collective const& what) {
    std::ranges::fill(receive, -1.0);
    run(graph, what);
    CHECK(receive == expected);
    std::ranges::fill(receive, -1.0);
    prepare(graph, what).run();
    CHECK(receive == expected);
  };
  auto const count = static_cast<std::int64_t>(alone ? 0 : length);
  check(allgather(block, receive));
  check(alltoall(elements{blocks.data(), count, MPI_DOUBLE},
                 elements{receive.data(), count, MPI_DOUBLE}));
}

TEST_CASE("edges to no rank, or known at one end alone, are refused before they are looked at") {
  named_grid const grid(1, 1, von_neumann(1));
  int const rank = grid.world.rank(), size = grid.world.size();
  auto const with = [&](std::vector<edge> more) {
    std::vector<edge> out(grid.topology.destinations().begin(), grid.topology.destinations().end());
    if (rank == size - 1)
      out.insert(out.end(), more.begin(), more.end());
    std::vector<edge> const in(grid.topology.sources().begin(), grid.topology.sources().end());
    return Topology::graph(in, out);
  };
  for (bool checks : {true, false}) {
    checks_in_scope const checked(checks);
    CHECK_THROWS_WITH(make_named_graph(grid.world, with({{99}})),
                      Catch::Contains("graph: destination 99 is no rank of the communicator") &&
                          Catch::Contains(fmt::format("first on rank {}", size - 1)));
    CHECK_THROWS_WITH(make_reordered_graph(grid.world, with({{99}})), Catch::Contains("rank 99"));
  }
  checks_in_scope const checked(true);
  std::string const told = fmt::format("rank {} lists", size - 1);
  CHECK_THROWS_WITH(make_named_graph(grid.world, with({{0}})), Catch::Contains(told));
  CHECK_THROWS_WITH(make_reordered_graph(grid.world, with({{0}})), Catch::Contains(told));
}

TEST_CASE("a graph with edges that only their ends know of is no stencil") {
  checks_in_scope const unchecked(false);
  named_grid const grid(1, 0, von_neumann(1));
  if (grid.world.size() < 2)
    return;
  auto const destinations = grid.topology.destinations();
  auto const one_sided = Topology::graph({}, {destinations.begin(), destinations.end()});
  CHECK(cartesian_structure_of(grid.world, one_sided) == nullptr);
}

TEST_CASE("what the network costs is measured once and the same on all ranks") {
  auto const world = testing::world();
  set_network({.latency = 3e-6, .seconds_per_byte = 2e-10});
  auto const found = network_of(world);
  CHECK(found == network_model{3e-6, 2e-10});
}
