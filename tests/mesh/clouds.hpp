/// Point clouds for tests: every rank knows the whole cloud and takes its share of it.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace seam::testing {

using cloud = point_set;

/// Adds a point of another cloud.
inline void take(cloud& into, cloud const& from, std::size_t i) {
  for (std::size_t axis = 0; axis < std::size_t(from.num_dimensions); ++axis)
    into.coordinates[axis].push_back(from.coordinates[axis][i]);
  if (!from.weights.empty())
    into.weights.push_back(from.weights[i]);
  into.ids.push_back(from.ids[i]);
}

enum class cloud_shape { box, rod, cluster, lattice, line, place };

/// Points with ids in no order. A lattice has many equal coordinates, a place but one point.
inline cloud make_cloud(std::size_t num_points, int num_dimensions, cloud_shape kind,
                        unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> even(0, 1);
  std::normal_distribution<double> bell(0, 1);
  cloud made;
  made.num_dimensions = num_dimensions;
  for (std::size_t i = 0; i < num_points; ++i) {
    double const t = even(random), spread = std::pow(10, -3 * even(random));
    for (std::size_t axis = 0; axis < std::size_t(num_dimensions); ++axis) {
      double const u = even(random), g = bell(random), scale = 1.0 / (1 << (2 * axis));
      double const values[] = {
          scale * u, 5 * t + scale * u, spread * g, std::floor(4 * scale * u), t * double(axis + 1),
          0.7};
      made.coordinates[axis].push_back(values[std::size_t(kind)]);
    }
    made.ids.push_back(static_cast<global_id>(3 * i + 1));
  }
  std::shuffle(made.ids.begin(), made.ids.end(), random);
  return made;
}

/// Weights from 0 to 100, a tenth of them 0.
inline void add_weights(cloud& to, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> even(-10, 100);
  for (std::size_t i = 0; i < to.ids.size(); ++i)
    to.weights.push_back(std::max(0.0, even(random)));
}

/// This rank's points and where they stand in the whole cloud: each of `num_owners` ranks owns some
/// at random, in an order at random.
struct share {
  cloud points;
  std::vector<std::size_t> places;
};

inline share share_of(cloud const& whole, int rank, int num_owners, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(whole.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  share mine;
  mine.points.num_dimensions = whole.num_dimensions;
  for (std::size_t const i : order)
    if (static_cast<int>(random() % unsigned(num_owners)) == rank) {
      take(mine.points, whole, i);
      mine.places.push_back(i);
    }
  return mine;
}

} // namespace seam::testing
