// Partitions against a serial reference that sorts, and against themselves on one rank.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/partition/partition.hpp>

#include <mesh/clouds.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

constexpr cloud_shape all_shapes[] = {cloud_shape::box,     cloud_shape::rod,  cloud_shape::cluster,
                                      cloud_shape::lattice, cloud_shape::line, cloud_shape::place};

/// Keys of the points `group` by which they are cut.
using key_rule =
    std::function<std::vector<double>(cloud const&, std::vector<std::size_t> const& group)>;

/// Sorts by (key, id) and gives the lower parts the shortest prefix of at least their weight, or
/// one point less if that is closer.
void bisect_by_sorting(cloud const& all, std::vector<std::size_t> group, int first_part,
                       int num_parts, key_rule const& keys_of, std::vector<int>& parts) {
  if (num_parts == 1) {
    for (std::size_t const i : group)
      parts[i] = first_part;
    return;
  }
  auto const keys = keys_of(all, group);
  std::vector<std::size_t> order(group.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t k) { return std::pair(keys[k], all.ids[group[k]]); });
  auto const weight = [&](std::size_t k) {
    return all.weights.empty() ? 1 : all.weights[group[order[k]]];
  };
  double total = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    total += weight(k);
  int const num_left = num_parts / 2;
  double target = total * num_left / num_parts;
  if (all.weights.empty())
    target = std::floor(target + 0.5);
  std::size_t cut = 0;
  double before = 0;
  for (; cut < order.size() && before + weight(cut) < target; ++cut)
    before += weight(cut);
  if (target > 0 && before + weight(cut) - target <= target - before)
    ++cut;
  std::vector<std::size_t> left, right;
  for (std::size_t k = 0; k < order.size(); ++k)
    (k < cut ? left : right).push_back(group[order[k]]);
  bisect_by_sorting(all, left, first_part, num_left, keys_of, parts);
  bisect_by_sorting(all, right, first_part + num_left, num_parts - num_left, keys_of, parts);
}

std::vector<int> partition_by_sorting(cloud const& all, int num_parts, key_rule const& keys_of) {
  std::vector<int> parts(all.ids.size());
  std::vector<std::size_t> group(all.ids.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  bisect_by_sorting(all, group, 0, num_parts, keys_of, parts);
  return parts;
}

std::vector<double> along_longest_axis(cloud const& all, std::vector<std::size_t> const& group) {
  std::size_t longest = 0;
  double most = -1;
  for (std::size_t axis = 0; axis < std::size_t(all.num_dimensions); ++axis) {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (std::size_t const i : group) {
      lo = std::min(lo, all.coordinates[axis][i]);
      hi = std::max(hi, all.coordinates[axis][i]);
    }
    if (hi - lo > most) {
      most = hi - lo;
      longest = axis;
    }
  }
  std::vector<double> keys;
  for (std::size_t const i : group)
    keys.push_back(all.coordinates[longest][i]);
  return keys;
}

/// Products with the largest eigenvector of the covariance, by power iteration.
std::vector<double> along_inertial_axis(cloud const& all, std::vector<std::size_t> const& group) {
  auto const axes = std::size_t(all.num_dimensions);
  std::array<double, 3> mean{}, axis{1, 0.9, 0.8};
  for (std::size_t a = 0; a < axes; ++a)
    for (std::size_t const i : group)
      mean[a] += all.coordinates[a][i] / double(group.size());
  std::array<std::array<double, 3>, 3> varies{};
  for (std::size_t a = 0; a < axes; ++a)
    for (std::size_t b = 0; b < axes; ++b)
      for (std::size_t const i : group)
        varies[a][b] += (all.coordinates[a][i] - mean[a]) * (all.coordinates[b][i] - mean[b]);
  for (int step = 0; step < 2000; ++step) {
    std::array<double, 3> next{};
    for (std::size_t a = 0; a < axes; ++a)
      for (std::size_t b = 0; b < axes; ++b)
        next[a] += varies[a][b] * axis[b];
    double const length = std::hypot(next[0], next[1], next[2]);
    for (std::size_t a = 0; a < axes; ++a)
      axis[a] = next[a] / length;
  }
  std::vector<double> keys;
  for (std::size_t const i : group) {
    double key = 0;
    for (std::size_t a = 0; a < axes; ++a)
      key += axis[a] * all.coordinates[a][i];
    keys.push_back(key);
  }
  return keys;
}

/// The parts of the whole cloud, found by all ranks together and put together on each.
std::vector<int> parts_of_whole(Communicator const& over, cloud const& whole, int num_parts,
                                partition_method method, int num_owners, unsigned seed) {
  share const mine = share_of(whole, over.rank(), num_owners, seed);
  auto const own = partition(over, mine.points.view(), num_parts, method);
  REQUIRE(own.size() == mine.places.size());
  std::vector<int> parts(whole.ids.size(), -1);
  for (std::size_t k = 0; k < own.size(); ++k)
    parts[mine.places[k]] = own[k];
  mpi::allreduce(over, std::span(parts), MPI_MAX);
  return parts;
}

std::vector<std::int64_t> sizes_of(std::vector<int> const& parts, int num_parts) {
  std::vector<std::int64_t> sizes(num_parts);
  for (int const part : parts)
    ++sizes.at(static_cast<std::size_t>(part));
  return sizes;
}

std::string refusal_of(Communicator const& over, point_cloud const& points, int num_parts = 2) {
  try {
    partition(over, points, num_parts, partition_method::rib);
  } catch (usage_error const& refused) {
    return refused.on_all_ranks() ? refused.what() : "on one rank";
  }
  return "";
}

} // namespace

TEST_CASE("parts do not depend on which ranks have the points") {
  Communicator const all = world(), alone = Communicator::dup(MPI_COMM_SELF);
  unsigned seed = 1;
  for (cloud_shape const kind : all_shapes)
    for (int dimensions = 1; dimensions <= 3; ++dimensions)
      for (partition_method const method : geometric_partition_methods())
        for (bool const weighted : {false, true}) {
          cloud whole = make_cloud(600, dimensions, kind, ++seed);
          if (weighted)
            add_weights(whole, seed);
          INFO(name_of(method) << ", shape " << int(kind) << ", " << dimensions << " axes, weights "
                               << weighted);
          auto const expected = partition(alone, whole.view(), 13, method);
          CHECK(parts_of_whole(all, whole, 13, method, all.size(), seed) == expected);
          CHECK(parts_of_whole(all, whole, 13, method, (all.size() + 1) / 2, seed) == expected);
        }
}

TEST_CASE("coordinate bisection is what sorting gives") {
  Communicator const all = world();
  unsigned seed = 100;
  for (cloud_shape const kind : all_shapes)
    for (int const num_parts : {1, 2, 3, 7, 16, 31}) {
      cloud const whole = make_cloud(500, 3, kind, ++seed);
      INFO("shape " << int(kind) << ", " << num_parts << " parts");
      CHECK(parts_of_whole(all, whole, num_parts, partition_method::rcb, all.size(), seed) ==
            partition_by_sorting(whole, num_parts, along_longest_axis));
    }
}

TEST_CASE("coordinate bisection by weight is what sorting gives") {
  Communicator const all = world();
  std::mt19937 random(7);
  for (unsigned seed = 200; seed < 212; ++seed) {
    cloud whole = make_cloud(400, 2, all_shapes[seed % 6], seed);
    for (std::size_t i = 0; i < whole.ids.size(); ++i)
      whole.weights.push_back(double(random() % 16));
    for (int const num_parts : {2, 4, 8}) // targets are halves: exact here and there
      CHECK(parts_of_whole(all, whole, num_parts, partition_method::rcb, all.size(), seed) ==
            partition_by_sorting(whole, num_parts, along_longest_axis));
  }
}

TEST_CASE(
    "inertial bisection is what sorting along the exact axis gives, but for points near cuts") {
  Communicator const all = world();
  for (int dimensions = 2; dimensions <= 3; ++dimensions)
    for (int const num_parts : {2, 3, 5, 8}) {
      cloud const whole = make_cloud(2000, dimensions, cloud_shape::rod, 300 + unsigned(num_parts));
      auto const expected = partition_by_sorting(whole, num_parts, along_inertial_axis);
      auto const found =
          parts_of_whole(all, whole, num_parts, partition_method::rib, all.size(), 5);
      int num_different = 0;
      for (std::size_t i = 0; i < whole.ids.size(); ++i)
        num_different += found[i] != expected[i] ? 1 : 0;
      INFO(dimensions << " axes, " << num_parts << " parts");
      CHECK(num_different <= 6);
    }
}

TEST_CASE("points on a slanted line are cut across the line") {
  Communicator const all = world();
  cloud const whole = make_cloud(1000, 3, cloud_shape::line, 9);
  auto const parts = parts_of_whole(all, whole, 10, partition_method::rib, all.size(), 9);
  std::vector<std::size_t> order(whole.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return whole.coordinates[0][i]; });
  bool const upwards = parts[order[0]] == 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    REQUIRE(parts[order[k]] == (upwards ? int(k / 100) : 9 - int(k / 100)));
}

TEST_CASE("numbers of points differ by at most one, whatever the number of parts") {
  Communicator const all = world();
  for (partition_method const method : geometric_partition_methods())
    for (cloud_shape const kind : {cloud_shape::box, cloud_shape::lattice, cloud_shape::place})
      for (int const num_parts : {1, 2, 3, 5, 12, 97, 128, 300}) {
        cloud const whole = make_cloud(211, 2, kind, 10);
        auto const sizes =
            sizes_of(parts_of_whole(all, whole, num_parts, method, all.size(), 11), num_parts);
        INFO(name_of(method) << " " << num_parts);
        CHECK(std::ranges::max(sizes) - std::ranges::min(sizes) <= 1);
      }
}

TEST_CASE("weights of parts differ by no more than cuts between points allow") {
  Communicator const all = world();
  for (partition_method const method : geometric_partition_methods())
    for (int const num_parts : {2, 3, 8, 11}) {
      cloud whole = make_cloud(3000, 3, cloud_shape::cluster, 12);
      add_weights(whole, 12);
      auto const parts = parts_of_whole(all, whole, num_parts, method, all.size(), 13);
      std::vector<double> weights(std::size_t(num_parts), 0);
      for (std::size_t i = 0; i < whole.ids.size(); ++i)
        weights[std::size_t(parts[i])] += whole.weights[i];
      double const mean = std::accumulate(weights.begin(), weights.end(), 0.0) / double(num_parts);
      double const heaviest = std::ranges::max(whole.weights);
      for (double const weight : weights) // each of the cuts is wrong by at most half a point
        CHECK(std::abs(weight - mean) <= heaviest);
    }
}

TEST_CASE("weights that are all zero count as equal ones, and single zeros as nothing") {
  Communicator const all = world();
  cloud whole = make_cloud(100, 3, cloud_shape::box, 14);
  whole.weights.assign(100, 0);
  CHECK(std::ranges::max(sizes_of(
            parts_of_whole(all, whole, 4, partition_method::rib, all.size(), 15), 4)) == 25);
  whole.weights[50] = whole.weights[51] = 1;
  auto const parts = parts_of_whole(all, whole, 2, partition_method::rib, all.size(), 15);
  CHECK(parts[50] != parts[51]);
}

TEST_CASE("equal points are divided in the order of their ids") {
  Communicator const all = world();
  cloud const whole = make_cloud(1000, 3, cloud_shape::place, 16);
  for (partition_method const method : geometric_partition_methods()) {
    auto const parts = parts_of_whole(all, whole, 5, method, all.size(), 17);
    for (std::size_t i = 0; i < whole.ids.size(); ++i)
      REQUIRE(parts[i] == int((whole.ids[i] - 1) / 3 / 200));
  }
}

TEST_CASE("coordinates of any magnitude are cut") {
  Communicator const all = world();
  for (double const scale : {0x1p-1060, 0x1p-520, 0x1p-100, 1.0, 0x1p490})
    for (partition_method const method : geometric_partition_methods()) {
      cloud whole = make_cloud(64, 2, cloud_shape::line, 18);
      for (std::size_t i = 0; i < whole.ids.size(); ++i)
        for (auto* values : {&whole.coordinates[0], &whole.coordinates[1]})
          (*values)[i] = (double(i) - 20) * scale;
      auto const sizes = sizes_of(parts_of_whole(all, whole, 4, method, all.size(), 19), 4);
      CHECK(std::ranges::max(sizes) == 16);
    }
}

TEST_CASE("every method is found by its name, and a name without a method is refused") {
  std::set<std::string_view> names;
  for (partition_method const method : partition_methods()) {
    CHECK(names.insert(name_of(method)).second);
    CHECK(partition_method_of(name_of(method)) == method);
  }
  CHECK(std::ssize(names_of_partition_methods()) == std::ssize(names));
  auto const lists_names = Catch::Contains("(expected one of rib, rcb, hilbert, scotch)");
  CHECK_THROWS_WITH(partition_method_of("kmeans"), Catch::Contains("'kmeans'") && lists_names);
  CHECK_THROWS_WITH(name_of(static_cast<partition_method>(partition_methods().size())),
                    lists_names);
}

TEST_CASE("no points at all have no parts") {
  Communicator const all = world();
  for (partition_method const method : geometric_partition_methods())
    CHECK(partition(all, cloud{}.view(), 5, method).empty());
}

TEST_CASE("more parts than points leave parts empty") {
  Communicator const all = world();
  cloud const whole = make_cloud(5, 3, cloud_shape::box, 20);
  auto const parts = parts_of_whole(all, whole, 64, partition_method::rib, all.size(), 21);
  CHECK(std::set<int>(parts.begin(), parts.end()).size() == 5);
}

TEST_CASE("ranks without points divide weighted ones as the others do") {
  Communicator const all = world();
  cloud whole = make_cloud(4, 2, cloud_shape::box, 5);
  whole.weights.assign(4, 1);
  for (auto const method : geometric_partition_methods())
    for (int const num_parts : {2, 3, 9}) {
      INFO(name_of(method) << ", " << num_parts << " parts");
      cloud none;
      none.num_dimensions = 2;
      auto const together =
          partition(all, all.rank() == 0 ? whole.view() : none.view(), num_parts, method);
      auto const self = Communicator::dup(MPI_COMM_SELF);
      auto const expected = partition(self, whole.view(), num_parts, method);
      if (all.rank() == 0)
        CHECK(together == expected);
    }
}

TEST_CASE("what is no cloud is refused by all ranks in one line") {
  Communicator const all = world();
  bool const last = all.rank() == all.size() - 1;
  cloud const good = make_cloud(10, 3, cloud_shape::box, unsigned(22 + all.rank()));
  auto const wrong = [&](auto change) {
    cloud damaged = good;
    if (last)
      change(damaged);
    return refusal_of(all, damaged.view());
  };
  auto const says = [](std::string const& line, std::string const& what) {
    INFO(line);
    return line.find(what) != std::string::npos;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(says(wrong([](cloud& damaged) { damaged.coordinates[1][4] = nan; }),
             "coordinate nan on axis 1"));
  CHECK(says(wrong([](cloud& damaged) { damaged.coordinates[2][0] = -1 / 0.0; }),
             "coordinate -inf"));
  CHECK(says(wrong([](cloud& damaged) { damaged.coordinates[0].pop_back(); }),
             "9 coordinates on axis 0"));
  CHECK(says(wrong([](cloud& damaged) { damaged.ids[3] = -5; }), "id -5"));
  CHECK(says(wrong([](cloud& damaged) { damaged.num_dimensions = 4; }), "4 axes"));
  CHECK(says(refusal_of(all, good.view(), 0), "0 parts (expected at least 1)"));
  cloud heavy = good;
  heavy.weights.assign(10, 1);
  if (last)
    heavy.weights[7] = -2;
  CHECK(says(refusal_of(all, heavy.view()), "weight -2"));
  if (all.size() > 1) {
    heavy.weights[7] = 1;
    if (last)
      heavy.weights.clear();
    CHECK(says(refusal_of(all, heavy.view()), "no weights (expected them, as other ranks have)"));
    CHECK(says(wrong([](cloud& damaged) { damaged.num_dimensions = 2; }),
               "axes (expected the same"));
    CHECK(says(refusal_of(all, good.view(), last ? 2 : 3), "partition: parts"));
  }
}

TEST_CASE("successive cells of Hilbert's curve are neighbors, and all are on it") {
  for (std::size_t axes = 2; axes <= 3; ++axes)
    for (int bits = 1; bits <= 4; ++bits) {
      std::uint32_t const edge = 1U << bits;
      std::map<std::int64_t, std::array<std::uint32_t, 3>> cells;
      for (std::uint32_t x = 0; x < edge; ++x)
        for (std::uint32_t y = 0; y < edge; ++y)
          for (std::uint32_t z = 0; z < (axes == 3 ? edge : 1); ++z) {
            std::array const cell{x, y, z};
            cells[hilbert_index(std::span(cell).first(axes), bits)] = cell;
          }
      REQUIRE(cells.size() == std::size_t{1} << (std::size_t(bits) * axes));
      for (auto here = cells.begin(), next = std::next(here); next != cells.end(); ++here, ++next) {
        REQUIRE(next->first == here->first + 1);
        int distance = 0;
        for (std::size_t a = 0; a < 3; ++a)
          distance += std::abs(int(here->second[a]) - int(next->second[a]));
        REQUIRE(distance == 1);
      }
    }
}
