// Neighbors in topologies against lists that are made from coordinates, process by process.
#include "kernel/neighbor_lists.hpp"

#include <support/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

using namespace guidelines;

namespace {

experiment described(topology around, int dimensions, int finite, int radius, ordering order) {
  return {.call = setup_named("Neighbor_alltoall"),
          .datatype = "MPI_BYTE",
          .bytes = 8,
          .partitions = 0,
          .repetitions = 1,
          .work = 0,
          .around = around,
          .made_by = constructor::dist_graph_create_adjacent,
          .dimensions = dimensions,
          .finite = finite,
          .radius = radius,
          .order = order,
          .seed = 17,
          .reorder = false};
}

using point = std::vector<int>;

/// Row-major coordinates, by division.
point coordinates(int rank, std::vector<int> const& dims) {
  point found(dims.size());
  for (std::size_t axis = dims.size(); axis-- > 0; rank /= dims[axis])
    found[axis] = rank % dims[axis];
  return found;
}

/// The rank at a point plus an offset; MPI_PROC_NULL beyond a finite dimension.
int rank_at(point const& from, point const& offset, int sign, std::vector<int> const& dims,
            int finite) {
  int rank = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    int place = from[axis] + sign * offset[axis];
    if (static_cast<int>(axis) < finite && (place < 0 || place >= dims[axis]))
      return MPI_PROC_NULL;
    place = (place % dims[axis] + dims[axis]) % dims[axis];
    rank = rank * dims[axis] + place;
  }
  return rank;
}

/// All offsets of a ball but the zero offset; the first coordinate changes last.
std::vector<point> ball(topology around, int dimensions, int radius) {
  std::vector<point> all;
  int const edge = 2 * radius + 1;
  int count = 1;
  for (int axis = 0; axis < dimensions; ++axis)
    count *= edge;
  for (int number = 0; number < count; ++number) {
    point offset =
        coordinates(number, std::vector<int>(static_cast<std::size_t>(dimensions), edge));
    int distance = 0;
    for (int& entry : offset) {
      entry -= radius;
      distance += std::abs(entry);
    }
    if (distance > 0 && (around == topology::moore || distance <= radius))
      all.push_back(offset);
  }
  return all;
}

neighbor_lists expected_lists(std::vector<point> const& offsets, int rank,
                              std::vector<int> const& dims, int finite) {
  neighbor_lists lists;
  for (point const& offset : offsets) {
    int const to = rank_at(coordinates(rank, dims), offset, 1, dims, finite);
    int const from = rank_at(coordinates(rank, dims), offset, -1, dims, finite);
    if (to != MPI_PROC_NULL)
      lists.destinations.push_back(to);
    if (from != MPI_PROC_NULL)
      lists.sources.push_back(from);
  }
  return lists;
}

std::vector<int> dims_of(experiment const& what, int size) {
  auto const grid = grid_of(what, size);
  return {grid.order().begin(), grid.order().end()};
}

/// Each edge that one process lists as a destination is one that another lists as a source.
void require_matching_edges(experiment const& what, int size) {
  std::map<std::pair<int, int>, int> edges;
  for (int rank = 0; rank < size; ++rank) {
    auto const lists = lists_of(what, size, rank);
    for (int to : lists.destinations)
      if (to != MPI_PROC_NULL)
        ++edges[{rank, to}];
    for (int from : lists.sources)
      if (from != MPI_PROC_NULL)
        --edges[{from, rank}];
  }
  for (auto const& [ends, difference] : edges) {
    INFO("from " << ends.first << " to " << ends.second);
    REQUIRE(difference == 0);
  }
}

} // namespace

TEST_CASE("grids are those of table 1") {
  struct row {
    int dimensions;
    std::vector<int> of_160, of_320, of_560;
  };
  for (auto const& [dimensions, of_160, of_320, of_560] :
       {row{2, {16, 10}, {20, 16}, {28, 20}}, row{3, {8, 5, 4}, {8, 8, 5}, {10, 8, 7}},
        row{4, {5, 4, 4, 2}, {5, 4, 4, 4}, {7, 5, 4, 4}}}) {
    auto const what = described(topology::von_neumann, dimensions, 0, 1, ordering::first_major);
    CHECK(dims_of(what, 10 * 16) == of_160);
    CHECK(dims_of(what, 20 * 16) == of_320);
    CHECK(dims_of(what, 35 * 16) == of_560);
  }
}

TEST_CASE("offsets lead to destinations, and their opposites from sources, in both orders") {
  for (topology around : {topology::von_neumann, topology::moore})
    for (int dimensions : {1, 2, 3})
      for (int finite = 0; finite <= dimensions; ++finite)
        for (int radius : {1, 2, 3})
          for (int size : {1, 2, 6, 12, 30}) {
            auto const first = described(around, dimensions, finite, radius, ordering::first_major);
            auto const dims = dims_of(first, size);
            auto offsets = ball(around, dimensions, radius);
            for (int rank = 0; rank < size; rank += 1 + size / 7)
              REQUIRE(lists_of(first, size, rank) == expected_lists(offsets, rank, dims, finite));
            auto const last = described(around, dimensions, finite, radius, ordering::last_major);
            std::ranges::sort(offsets, {}, [](point offset) {
              std::ranges::reverse(offset);
              return offset;
            });
            REQUIRE(lists_of(last, size, size - 1) ==
                    expected_lists(offsets, size - 1, dims, finite));
          }
}

TEST_CASE("random orders are permutations, others for each process, the same again") {
  for (topology around : {topology::von_neumann, topology::moore, topology::full}) {
    bool const has_grid = around != topology::full;
    auto what = described(around, has_grid ? 2 : 0, 0, has_grid ? 2 : 0, ordering::random);
    auto plain = what;
    plain.order = has_grid ? ordering::first_major : ordering::linear;
    constexpr int size = 20;
    std::set<std::vector<int>> steps;
    for (int rank = 0; rank < size; ++rank) {
      auto const lists = lists_of(what, size, rank), ordered = lists_of(plain, size, rank);
      CHECK(sorted(lists.destinations) == sorted(ordered.destinations));
      CHECK(sorted(lists.sources) == sorted(ordered.sources));
      CHECK(lists == lists_of(what, size, rank));
      std::vector<int> relative;
      for (int to : lists.destinations)
        relative.push_back((to - rank + size) % size);
      steps.insert(relative);
    }
    CHECK(steps.size() > size / 2);
    auto other = what;
    other.seed = 18;
    CHECK_FALSE(lists_of(other, size, 3) == lists_of(what, size, 3));
    require_matching_edges(what, size);
  }
}

TEST_CASE("random sources and destinations of Full are independent, those of a grid inverse") {
  auto const full = described(topology::full, 0, 0, 0, ordering::random);
  auto const lists = lists_of(full, 30, 5);
  auto opposite = lists.sources;
  for (int& rank : opposite)
    rank = (10 - rank + 60) % 30; // mirrored at process 5
  CHECK_FALSE(opposite == lists.destinations);

  auto const ring = described(topology::moore, 1, 0, 4, ordering::random);
  auto const inverse = lists_of(ring, 30, 5);
  for (std::size_t k = 0; k < inverse.sources.size(); ++k)
    CHECK((inverse.sources[k] + inverse.destinations[k]) % 30 == 10);
}

TEST_CASE("Full lists sources upwards and destinations downwards, without the process itself") {
  auto const what = described(topology::full, 0, 0, 0, ordering::linear);
  CHECK(lists_of(what, 5, 2) == neighbor_lists{{3, 4, 0, 1}, {1, 0, 4, 3}});
  CHECK(lists_of(what, 2, 0) == neighbor_lists{{1}, {1}});
  CHECK(lists_of(what, 1, 0) == neighbor_lists{});
  for (int size : {1, 2, 3, 8})
    require_matching_edges(what, size);
}

TEST_CASE("FullSelf lists the process itself, and then as Full does") {
  auto const what = described(topology::full_self, 0, 0, 0, ordering::linear);
  CHECK(lists_of(what, 5, 2) == neighbor_lists{{2, 3, 4, 0, 1}, {2, 1, 0, 4, 3}});
  CHECK(lists_of(what, 1, 0) == neighbor_lists{{0}, {0}});
  for (int size : {1, 2, 3, 8})
    require_matching_edges(what, size);
}

TEST_CASE("Cartesian lists both sides of each dimension, also where they lead nowhere") {
  auto const what = described(topology::cartesian, 2, 1, 0, ordering::none);
  CHECK(dims_of(what, 6) == std::vector<int>{3, 2});
  CHECK(lists_of(what, 6, 0) == neighbor_lists{{2, MPI_PROC_NULL, 1, 1}, {MPI_PROC_NULL, 2, 1, 1}});
  for (int size : {1, 2, 6, 12})
    require_matching_edges(what, size);
}
