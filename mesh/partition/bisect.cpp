#include <seam/mesh/partition/bisect.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <algorithm>

namespace seam {
using namespace detail;

namespace {

/// Ranks that share points evenly; the last one gets the remainder.
struct half {
  int first_rank, num_ranks;
  std::int64_t num_points;

  int owner(std::int64_t index) const {
    std::int64_t const each = num_points / num_ranks, last = num_ranks - 1;
    return first_rank + static_cast<int>(each == 0 ? last : std::min(index / each, last));
  }
};

/// The points inside, then the points outside.
point_set inside_first(point_set const& points, half_space const& inside) {
  point_set sorted;
  sorted.num_dimensions = points.num_dimensions;
  for (bool const wanted : {true, false})
    for (local_id i = 0; i < std::ssize(points.ids); ++i)
      if (inside.contains(points, i) == wanted) {
        for (int axis = 0; axis < points.num_dimensions; ++axis)
          sorted.coordinates[axis].push_back(points.coordinates[axis][i]);
        if (!points.weights.empty())
          sorted.weights.push_back(points.weights[i]);
        sorted.ids.push_back(points.ids[i]);
      }
  return sorted;
}

} // namespace

bool half_space::contains(point_cloud const& points, local_id point) const {
  double product = 0;
  for (int axis = 0; axis < points.num_dimensions; ++axis)
    product += normal[axis] * points.coordinates[axis][point];
  return product >= offset;
}

point_set bisect(Communicator const& over, point_cloud const& points, half_space const& inside) {
  mpi::comm_view const all = over.context();
  examine(over, points);
  std::array<std::int64_t, 2> counts{};
  for (local_id i = 0; i < std::ssize(points.ids); ++i)
    ++counts[inside.contains(points, i) ? 0 : 1];
  auto next = counts;
  mpi::sum_before(all, std::span<std::int64_t>(next));
  mpi::allreduce(all, std::span<std::int64_t>(counts), MPI_SUM);
  int const size = all.size(), ranks_in = std::max(1, size / 2);
  int const first_out = size == 1 ? 0 : ranks_in;
  std::array const halves{half{0, ranks_in, counts[0]},
                          half{first_out, size - first_out, counts[1]}};
  std::vector<int> points2ranks(points.ids.size());
  for (local_id i = 0; i < std::ssize(points2ranks); ++i) {
    int const side = inside.contains(points, i) ? 0 : 1;
    points2ranks[i] = halves[side].owner(next[side]++);
  }
  point_set arrived = migrate(over, points, points2ranks);
  return size == 1 ? inside_first(arrived, inside) : arrived;
}

} // namespace seam
