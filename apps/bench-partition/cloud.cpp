#include "cloud.hpp"

#include <seam/exchange/ground/digest.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace partition_bench {
namespace {

using place = std::array<double, 3>;
using seam::detail::scrambled;

constexpr place box{4, 2, 1};
constexpr int num_centers = 32;

/// A random number evenly distributed from 0 to 1, without 0.
double even(std::uint64_t point, std::uint64_t which) {
  return (static_cast<double>(scrambled(16 * point + which) >> 11) + 1) * 0x1p-53;
}

/// A random number of the normal distribution.
double bell(std::uint64_t point, std::uint64_t which) {
  return std::sqrt(-2 * std::log(even(point, which))) *
         std::cos(2 * std::numbers::pi * even(point, which + 1));
}

place point_of(std::uint64_t i, shape of) {
  place at{};
  if (of == shape::box) {
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = box[axis] * even(i, axis);
    return at;
  }
  std::uint64_t const center = (std::uint64_t{1} << 50) + scrambled(16 * i + 6) % num_centers;
  double const width = 0.3 * std::pow(even(center, 3), 2);
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = box[axis] * even(center, axis) + width * bell(i, 2 * axis);
  return at;
}

int owner_of(std::uint64_t i, int num_ranks) {
  return static_cast<int>(scrambled(16 * i + 7) % static_cast<unsigned>(num_ranks));
}

/// A rotation about each axis, and a shift.
class motion {
public:
  explicit motion(std::uint64_t seed) : seed_((std::uint64_t{1} << 51) + seed) {}

  /// The cell of the moved point in a grid of 2^20 cells along each axis.
  std::array<std::uint32_t, 3> cell_of(place at) const {
    for (int axis = 0; axis < 3; ++axis) {
      double const angle = 2 * std::numbers::pi * even(seed_, axis);
      double& a = at[axis];
      double& b = at[(axis + 1) % 3];
      double const turned = std::cos(angle) * a - std::sin(angle) * b;
      b = std::sin(angle) * a + std::cos(angle) * b;
      a = turned;
    }
    std::array<std::uint32_t, 3> cell{};
    for (int axis = 0; axis < 3; ++axis) {
      double const inside = (at[axis] + 12 + even(seed_, 3 + axis)) / 25;
      cell[axis] = static_cast<std::uint32_t>(std::clamp(inside, 0.0, 0.999999) * (1 << 20));
    }
    return cell;
  }

private:
  std::uint64_t seed_;
};

std::vector<seam::local_id> order_along(motion const& moved, std::int64_t num_points, shape of) {
  std::vector<std::pair<std::int64_t, seam::local_id>> order;
  for (std::int64_t i = 0; i < num_points; ++i) {
    auto const cell = moved.cell_of(point_of(static_cast<std::uint64_t>(i), of));
    order.emplace_back(seam::hilbert_index(cell, 20), static_cast<seam::local_id>(i));
  }
  std::ranges::sort(order);
  std::vector<seam::local_id> points;
  for (auto const& [index, i] : order)
    points.push_back(i);
  return points;
}

struct id_and_part {
  seam::global_id id;
  int part;
};

} // namespace

seam::point_set make_cloud(int rank, int num_ranks, std::int64_t num_points, shape of) {
  seam::point_set own;
  for (std::int64_t i = 0; i < num_points; ++i)
    if (owner_of(static_cast<std::uint64_t>(i), num_ranks) == rank) {
      place const at = point_of(static_cast<std::uint64_t>(i), of);
      for (int axis = 0; axis < 3; ++axis)
        own.coordinates[axis].push_back(at[axis]);
      own.ids.push_back(i);
    }
  return own;
}

near_pairs::near_pairs(seam::Communicator const& over, std::int64_t num_points, shape of) {
  constexpr std::uint64_t num_curves = 4;
  if (over.rank() == 0)
    for (std::uint64_t c = 0; c < num_curves; ++c)
      curves_.push_back(order_along(motion(c), num_points, of));
}

std::int64_t near_pairs::num_cut(seam::Communicator const& over, seam::point_cloud const& points,
                                 std::vector<int> const& points2parts) const {
  std::vector<id_and_part> known;
  for (std::int64_t i = 0; i < std::ssize(points2parts); ++i)
    known.push_back({points.ids[i], points2parts[i]});
  auto const all = seam::migrate<id_and_part>(over, known, std::vector<int>(known.size(), 0));
  std::vector<int> parts(all.size());
  for (id_and_part const& record : all)
    parts[record.id] = record.part;
  std::int64_t num_cut = 0;
  for (auto const& curve : curves_)
    for (std::int64_t k = 1; k < std::ssize(curve); ++k)
      num_cut += parts[curve[k - 1]] != parts[curve[k]] ? 1 : 0;
  return seam::mpi::allreduce(over, num_cut, MPI_SUM);
}

} // namespace partition_bench
