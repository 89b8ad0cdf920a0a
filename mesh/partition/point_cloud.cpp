#include <seam/mesh/partition/point_cloud.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam {
using namespace detail;

namespace {

/// Differences and their products with the bins of a histogram stay finite up to here.
constexpr double largest_coordinate = 0x1p500;

void check_lengths(point_cloud const& points) {
  if (points.num_dimensions < 1 || points.num_dimensions > 3)
    refuse(fmt::format("point cloud: {} axes (expected 1 to 3)", points.num_dimensions));
  if (std::ssize(points.ids) > std::numeric_limits<local_id>::max())
    refuse(fmt::format("point cloud: {} points on one rank (expected less than 2^31)",
                       points.ids.size()));
  for (int axis = 0; axis < points.num_dimensions; ++axis)
    if (points.coordinates[axis].size() != points.ids.size())
      refuse(fmt::format("point cloud: {} coordinates on axis {} (expected one for each of {} ids)",
                         points.coordinates[axis].size(), axis, points.ids.size()));
  if (!points.weights.empty() && points.weights.size() != points.ids.size())
    refuse(fmt::format("point cloud: {} weights (expected one for each of {} ids, or none)",
                       points.weights.size(), points.ids.size()));
}

/// Position of the first value that `is_right` does not hold for, the length if there is none.
template <class T, class IsRight>
std::int64_t first_wrong(std::span<T const> values, IsRight is_right) {
  std::int64_t wrong = 0;
  for (T const value : values)
    wrong += is_right(value) ? 0 : 1;
  if (wrong == 0)
    return std::ssize(values);
  return std::ranges::find_if_not(values, is_right) - values.begin();
}

void check_values(point_cloud const& points) {
  auto const ids = points.ids;
  for (int axis = 0; axis < points.num_dimensions; ++axis) {
    auto const values = points.coordinates[axis];
    auto const wrong =
        first_wrong(values, [](double value) { return std::abs(value) <= largest_coordinate; });
    if (wrong < std::ssize(values))
      refuse(fmt::format("point cloud: coordinate {} on axis {} of the point with id {} (expected "
                         "a finite one of at most 2^500)",
                         values[wrong], axis, ids[wrong]));
  }
  auto const heavy = first_wrong(points.weights, [](double weight) {
    return weight >= 0 && weight <= largest_coordinate;
  });
  if (heavy < std::ssize(points.weights))
    refuse(fmt::format("point cloud: weight {} of the point with id {} (expected a finite one of "
                       "at least 0)",
                       points.weights[heavy], ids[heavy]));
  constexpr auto past_all = std::numeric_limits<global_id>::max();
  auto const unnamed = first_wrong(ids, [](global_id id) { return id >= 0 && id < past_all; });
  if (unnamed < std::ssize(ids))
    refuse(fmt::format("point cloud: id {} (expected 0 to 2^63 - 2)", ids[unnamed]));
}

} // namespace

cloud_facts examine(Communicator const& over, point_cloud const& points) {
  mpi::comm_view const all = over.context();
  collectively(all, [&] {
    check_lengths(points);
    check_values(points);
  });
  bool const has_weights = !points.weights.empty(), lacks = !points.ids.empty() && !has_weights;
  double const largest = has_weights ? std::ranges::max(points.weights) : 0;
  std::array most{largest, has_weights ? 1.0 : 0.0, lacks ? 1.0 : 0.0,
                  double(points.num_dimensions), -double(points.num_dimensions)};
  mpi::allreduce(all, std::span<double>(most), MPI_MAX);
  collectively(all, [&] {
    if (points.num_dimensions != int(-most[4]) || points.num_dimensions != int(most[3]))
      refuse(fmt::format("point cloud: {} axes (expected the same on all ranks, found {} to {})",
                         points.num_dimensions, -most[4], most[3]));
    if (lacks && most[1] != 0)
      refuse("point cloud: no weights (expected them, as other ranks have)");
  });
  bool const is_weighted = most[0] > 0;
  return {.num_points = mpi::allreduce(all, std::int64_t{points.num_points()}, MPI_SUM),
          .is_weighted = is_weighted,
          .largest_weight = is_weighted ? most[0] : 1};
}

point_cloud point_set::view() const noexcept {
  return {.coordinates = {coordinates[0], coordinates[1], coordinates[2]},
          .num_dimensions = num_dimensions,
          .weights = weights,
          .ids = ids};
}

bool operator==(point_set const& a, point_set const& b) {
  return a.coordinates == b.coordinates && a.num_dimensions == b.num_dimensions &&
         a.weights == b.weights && a.ids == b.ids;
}

} // namespace seam
