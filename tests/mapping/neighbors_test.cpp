// Neighbors of named processes and the topologies they make: serially over all small grids, and as
// graph communicators whose edges carry the offset that they were made for.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/neighbors.hpp>

#include <support/catch.hpp>
#include <support/mapping_problem.hpp>

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Grids of 1 to 12 points, with short rings, in every periodicity; some with holes or unnamed
/// ranks.
std::vector<CartesianNaming> small_grids() {
  std::vector<CartesianNaming> grids;
  for (vec const& order : std::vector<vec>{
           {1}, {2}, {3}, {5}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {4, 3}, {1, 2, 3}, {2, 2, 2}})
    for (auto const& periodic : all_flags(order.size())) {
      int const size = std::accumulate(order.begin(), order.end(), 1, std::multiplies());
      for (int const processes : {size, size + 2, std::max(1, size - 1)})
        grids.emplace_back(processes, order, periodic, dimension_order::column_major());
    }
  return grids;
}

/// A random directed, weighted neighborhood, in which offsets may repeat.
neighborhood random_offsets(int num_dimensions, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<vec> list(1 + random() % 8, vec(num_dimensions));
  vec weights;
  for (auto& offset : list) {
    for (int& x : offset)
      x = static_cast<int>(random() % 7) - 3;
    weights.push_back(1 + static_cast<int>(random() % 9));
  }
  return offsets(list, weights);
}

std::vector<neighborhood> neighborhoods(int num_dimensions) {
  return {von_neumann(1),
          moore(1),
          von_neumann(2),
          metric_neighborhood(metric::chebyshev, 0, 1),
          offsets({}),
          random_offsets(num_dimensions, 1),
          random_offsets(num_dimensions, 2),
          random_offsets(num_dimensions, 3),
          random_offsets(num_dimensions, 4)};
}

void for_each_case(
    std::function<void(CartesianNaming const&, neighborhood const&, duplicates)> const& check) {
  for (auto const& naming : small_grids())
    for (auto const& around : neighborhoods(naming.num_dimensions()))
      for (auto const repeated : {duplicates::keep, duplicates::merge})
        check(naming, around, repeated);
}

std::vector<int> weights_between(std::span<edge const> edges, int rank) {
  std::vector<int> weights;
  for (auto const& e : edges)
    if (e.rank == rank)
      weights.push_back(e.weight);
  return weights;
}

/// Sends a value along each edge by messages of MPI; several edges between two processes are matched in
/// the order of both ends. Libraries' neighborhood collectives differ in that.
std::vector<std::int64_t> sent_along(Topology const& topology,
                                     std::vector<std::int64_t> const& values) {
  constexpr int tag = 0;
  std::vector<std::int64_t> received(topology.sources().size());
  std::vector<MPI_Request> under_way;
  for (int k = 0; k < std::ssize(received); ++k)
    MPI_Irecv(&received[k], 1, MPI_INT64_T, topology.sources()[k].rank, tag, MPI_COMM_WORLD,
              &under_way.emplace_back());
  for (int k = 0; k < std::ssize(values); ++k)
    MPI_Isend(&values[k], 1, MPI_INT64_T, topology.destinations()[k].rank, tag, MPI_COMM_WORLD,
              &under_way.emplace_back());
  MPI_Waitall(static_cast<int>(under_way.size()), under_way.data(), MPI_STATUSES_IGNORE);
  return received;
}

/// A number for an edge: the process that it leaves and the offset along which it does.
std::int64_t number_of(int rank, std::span<int const> offset) {
  std::int64_t number = rank;
  for (int const x : offset)
    number = number * 16 + (x + 8);
  return number;
}

/// Sends each edge's number along it; checks that every source's edge carries the offset that leads
/// from the source to here.
void check_edges_on_a_communicator(CartesianNaming const& naming, neighborhood const& around) {
  int const mine = mpi::comm_view(MPI_COMM_WORLD).rank();
  auto const topology = make_topology(naming, mine, around);
  auto const all = around.expand(naming.num_dimensions());
  auto const leaving = neighbors(naming, mine, all);
  auto const arriving = neighbors(naming, mine, all.inverse()).inverse();
  REQUIRE(leaving.size() == std::ssize(topology.destinations()));
  REQUIRE(arriving.size() == std::ssize(topology.sources()));
  std::vector<std::int64_t> sent, expected;
  for (int k = 0; k < std::ssize(leaving); ++k)
    sent.push_back(number_of(mine, leaving[k]));
  for (int k = 0; k < std::ssize(arriving); ++k)
    expected.push_back(number_of(topology.sources()[k].rank, arriving[k]));
  CHECK(sent_along(topology, sent) == expected);
}

} // namespace

TEST_CASE("neighbors beyond a border are left out") {
  CartesianNaming const plane(12, {3, 4}, {false, false});
  CHECK(offsets_of(neighbors(plane, 0, moore(1))) == std::vector<vec>{{0, 1}, {1, 0}, {1, 1}});
  CHECK(neighbors(plane, 1, moore(1)).size() == 5);
  CHECK(neighbors(plane, 5, moore(1)).size() == 8);
  CartesianNaming const cylinder(12, {3, 4}, {false, true});
  CHECK(offsets_of(neighbors(cylinder, 0, von_neumann(1))) ==
        std::vector<vec>{{0, -1}, {0, 1}, {1, 0}});
}

TEST_CASE("neighbors are exactly the offsets that lead to a process") {
  for (auto const& naming : small_grids())
    for (auto const& around : neighborhoods(naming.num_dimensions()))
      for (int rank = 0; rank < naming.num_processes(); ++rank) {
        std::vector<vec> expected;
        for (auto const& offset : offsets_of(around.expand(naming.num_dimensions())))
          if (naming.relative_rank(rank, offset) != MPI_PROC_NULL)
            expected.push_back(offset);
        REQUIRE(offsets_of(neighbors(naming, rank, around)) == expected);
      }
}

TEST_CASE("on a ring of two both offsets are edges to the other process, or one if merged") {
  CartesianNaming const ring(2, {2}, {true});
  auto const kept = make_topology(ring, 0, von_neumann(1));
  CHECK(std::ranges::equal(kept.destinations(), std::vector<edge>{{1, 1}, {1, 1}}));
  CHECK(std::ranges::equal(kept.sources(), std::vector<edge>{{1, 1}, {1, 1}}));
  auto const merged = make_topology(ring, 0, von_neumann(1), duplicates::merge);
  CHECK(std::ranges::equal(merged.destinations(), std::vector<edge>{{1, 2}}));
  CHECK(std::ranges::equal(merged.sources(), std::vector<edge>{{1, 2}}));
}

TEST_CASE("on a ring of one both offsets are edges to the process itself, or none if merged") {
  CartesianNaming const ring(1, {1}, {true});
  CHECK(std::ranges::equal(make_topology(ring, 0, von_neumann(1)).destinations(),
                           std::vector<edge>{{0, 1}, {0, 1}}));
  CHECK(make_topology(ring, 0, von_neumann(1), duplicates::merge).destinations().empty());
  auto const with_center = metric_neighborhood(metric::manhattan, 0, 1);
  CHECK(std::ranges::equal(make_topology(ring, 0, with_center, duplicates::merge).destinations(),
                           std::vector<edge>{{0, 3}}));
  CHECK(make_topology(CartesianNaming(1, {1}, {false}), 0, von_neumann(1)).destinations().empty());
}

TEST_CASE("merged neighbors are the first of their offsets, each process once, with all weights") {
  for (auto const& naming : small_grids())
    for (auto const& around : neighborhoods(naming.num_dimensions()))
      for (int rank = 0; rank < naming.num_processes(); ++rank) {
        auto const all = around.expand(naming.num_dimensions());
        auto const listed = offsets_of(all);
        vec const center(naming.order().size(), 0);
        bool const keeps_self = std::ranges::count(listed, center) != 0;
        std::vector<vec> firsts;
        std::map<int, int> weights;
        for (int i = 0; i < std::ssize(listed); ++i) {
          int const other = naming.relative_rank(rank, listed[i]);
          if (other == MPI_PROC_NULL || (other == rank && !keeps_self))
            continue;
          if (weights.count(other) == 0)
            firsts.push_back(listed[i]);
          weights[other] += all.weight(i);
        }
        auto const merged = neighbors(naming, rank, around, duplicates::merge);
        REQUIRE(offsets_of(merged) == firsts);
        for (int i = 0; i < std::ssize(merged); ++i)
          REQUIRE(merged.weight(i) == weights.at(naming.relative_rank(rank, merged[i])));
      }
}

TEST_CASE("destinations are the ranks at the offsets, sources the ranks at their opposites") {
  for_each_case([](CartesianNaming const& naming, neighborhood const& around, duplicates repeated) {
    for (int rank = 0; rank < naming.num_processes(); ++rank) {
      auto offsets = around.expand(naming.num_dimensions());
      if (repeated == duplicates::merge)
        offsets = merge_duplicates(naming, offsets);
      std::vector<edge> sources, destinations;
      for (int i = 0; i < std::ssize(offsets); ++i) {
        auto const [in, out] = naming.relative_shift(rank, offsets[i]);
        if (in != MPI_PROC_NULL)
          sources.push_back({in, offsets.weight(i)});
        if (out != MPI_PROC_NULL)
          destinations.push_back({out, offsets.weight(i)});
      }
      auto const topology = make_topology(naming, rank, around, repeated);
      REQUIRE(std::ranges::equal(topology.sources(), sources));
      REQUIRE(std::ranges::equal(topology.destinations(), destinations));
    }
  });
}

TEST_CASE("the k-th edge to a process is its k-th edge from there") {
  for_each_case([](CartesianNaming const& naming, neighborhood const& around, duplicates repeated) {
    std::vector<Topology> topologies;
    for (int rank = 0; rank < naming.num_processes(); ++rank)
      topologies.push_back(make_topology(naming, rank, around, repeated));
    for (int a = 0; a < naming.num_processes(); ++a)
      for (int b = 0; b < naming.num_processes(); ++b) {
        auto const& from = topologies[a];
        auto const& to = topologies[b];
        REQUIRE(weights_between(from.destinations(), b) == weights_between(to.sources(), a));
      }
  });
}

TEST_CASE("what leaves along an offset arrives along it, also on short rings") {
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  for (std::size_t d = 1; d <= 3; ++d)
    for (auto const& periodic : all_flags(d)) {
      CartesianNaming const naming(size, dims_create(size, vec(d, 0)), periodic);
      for (auto const& around : neighborhoods(static_cast<int>(d)))
        check_edges_on_a_communicator(naming, around);
    }
}

TEST_CASE("processes without a name have no edges, and points without a process no neighbors") {
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  for (vec const& order : std::vector<vec>{{2, 1}, {2, 2}, {3, 2}, {3, 3}})
    for (auto const& around : {von_neumann(1), moore(1), random_offsets(2, 5)}) {
      CartesianNaming const naming(size, order, {true, false});
      check_edges_on_a_communicator(naming, around);
      for (int rank = 0; rank < size; ++rank)
        if (!naming.is_named(rank))
          CHECK(make_topology(naming, rank, around).destinations().empty());
    }
}

TEST_CASE("offsets of another dimension, other ranks and too heavy edges are refused") {
  CartesianNaming const ring(2, {2}, {true});
  CHECK_THROWS_AS(neighbors(ring, 0, offsets({{0, 1}})), usage_error);
  CHECK_THROWS_AS(neighbors(ring, 2, von_neumann(1)), usage_error);
  CHECK_THROWS_AS(make_topology(ring, -17, offsets({})), usage_error);
  CHECK_THROWS_AS(make_topology(ring, 0, offsets({{1, 1}})), usage_error);
  auto const heavy = offsets({{-1}, {1}}, {INT_MAX, 1});
  CHECK_NOTHROW(make_topology(ring, 0, heavy));
  CHECK_THROWS_AS(make_topology(ring, 0, heavy, duplicates::merge), usage_error);
}
