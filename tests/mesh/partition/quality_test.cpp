// Quality of partitions of a lattice, whose edges are known, against counts by hand.
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/partition/partition.hpp>
#include <seam/mesh/partition/quality.hpp>

#include <mesh/clouds.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <set>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

constexpr int width = 12;

cloud make_square() {
  cloud made;
  made.num_dimensions = 2;
  for (int i = 0; i < width * width; ++i) {
    made.coordinates[0].push_back(i / width);
    made.coordinates[1].push_back(i % width);
    made.ids.push_back(i);
  }
  return made;
}

std::vector<global_id> neighbors_of(global_id id) {
  std::vector<global_id> around;
  int const x = int(id) / width, y = int(id) % width;
  for (auto const& [dx, dy] : {std::pair(0, 1), {0, -1}, {1, 0}, {-1, 0}})
    if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < width)
      around.push_back(id + width * dx + dy);
  return around;
}

struct rows {
  std::vector<std::int64_t> points2edges{0};
  std::vector<global_id> edges2ids;

  explicit rows(cloud const& points) {
    for (global_id const id : points.ids) {
      for (global_id const other : neighbors_of(id))
        edges2ids.push_back(other);
      points2edges.push_back(std::ssize(edges2ids));
    }
  }
  point_graph view() const { return {points2edges, edges2ids}; }
};

/// Counts over the whole square.
connection count_by_hand(std::vector<int> const& parts, int num_parts) {
  connection found;
  std::vector<std::set<int>> others(num_parts);
  for (global_id id = 0; id < width * width; ++id) {
    int const own = parts[std::size_t(id)];
    std::set<int> here;
    for (global_id const other : neighbors_of(id))
      if (int const part = parts[std::size_t(other)]; part != own) {
        here.insert(part);
        found.edge_cut += id < other ? 1 : 0;
      }
    found.volume += std::ssize(here);
    others[std::size_t(own)].insert(here.begin(), here.end());
  }
  for (auto const& of_part : others)
    found.num_neighbors.push_back(static_cast<int>(of_part.size()));
  return found;
}

} // namespace

TEST_CASE("cut, volume and neighbors are those of a count by hand") {
  Communicator const all = world();
  cloud const whole = make_square();
  share const mine = share_of(whole, all.rank(), all.size(), 1);
  rows const graph(mine.points);
  std::mt19937 random(2);
  for (int const num_parts : {1, 2, 7, 40}) {
    std::vector<int> parts(whole.ids.size()), own;
    for (int& part : parts)
      part = static_cast<int>(random() % unsigned(num_parts));
    for (std::size_t const place : mine.places)
      own.push_back(parts[place]);
    auto const found = connection_of(all, mine.points, graph.view(), own, num_parts);
    auto const expected = count_by_hand(parts, num_parts);
    CHECK(found.edge_cut == expected.edge_cut);
    CHECK(found.volume == expected.volume);
    CHECK(found.num_neighbors == expected.num_neighbors);
  }
}

TEST_CASE("four parts of a square are squares") {
  Communicator const all = world();
  share const mine = share_of(make_square(), all.rank(), all.size(), 3);
  rows const graph(mine.points);
  for (auto const method : geometric_partition_methods()) {
    auto const parts = partition(all, mine.points, 4, method);
    INFO(name_of(method));
    CHECK(connection_of(all, mine.points, graph.view(), parts, 4).edge_cut == 2 * width);
    CHECK(box_surface_of(all, mine.points, parts, 4) == 4 * 4 * (width / 2 - 1));
    CHECK(balance_of(all, mine.points, parts, 4).imbalance == 1);
  }
}

TEST_CASE("balance counts points and weights") {
  Communicator const all = world();
  cloud whole = make_cloud(90, 3, cloud_shape::box, 4);
  for (std::size_t i = 0; i < 90; ++i)
    whole.weights.push_back(i < 30 ? 4 : 1);
  share const mine = share_of(whole, all.rank(), all.size(), 5);
  std::vector<int> parts;
  for (std::size_t const place : mine.places)
    parts.push_back(static_cast<int>(place / 30));
  auto const found = balance_of(all, mine.points, parts, 4);
  CHECK(found.num_points == std::vector<std::int64_t>{30, 30, 30, 0});
  CHECK(found.weights == std::vector<double>{120, 30, 30, 0});
  CHECK(found.imbalance == 120.0 / 45);
}

TEST_CASE("parts and edges that are none are refused by all ranks") {
  Communicator const all = world();
  bool const last = all.rank() == all.size() - 1;
  share mine = share_of(make_square(), all.rank(), all.size(), 6);
  rows graph(mine.points);
  std::vector<int> const good(mine.places.size(), 0);
  std::vector<int> bad = good;
  if (last)
    bad.back() = 3;
  CHECK_THROWS_AS(balance_of(all, mine.points, bad, 3), usage_error);
  CHECK_THROWS_AS(box_surface_of(all, mine.points, bad, 3), usage_error);
  CHECK_THROWS_AS(connection_of(all, mine.points, graph.view(), bad, 3), usage_error);
  if (last)
    graph.edges2ids.back() = width * width;
  CHECK_THROWS_AS(connection_of(all, mine.points, graph.view(), good, 1), usage_error);
  if (last)
    graph.edges2ids.pop_back();
  CHECK_THROWS_AS(connection_of(all, mine.points, graph.view(), good, 1), usage_error);
}
