#include <seam/mesh/partition/recursive_bisection.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/partition/partition.hpp>
#include <seam/mesh/partition/segments.hpp>

#include <fmt/format.h>

namespace seam::detail {

std::vector<int> bisect_recursively(Communicator const& over, point_cloud const& points,
                                    cloud_facts const& facts, int num_parts,
                                    direction_rule const& rule) {
  mpi::comm_view const all = over.context();
  collectively(all, [&] {
    if (num_parts < 1)
      refuse(fmt::format("partition: {} parts (expected at least 1)", num_parts));
  });
  require_same(all, "partition: parts", std::to_string(num_parts));
  segmented_points parted(points, facts, num_parts, rule.wants_moments);
  auto const keys = std::make_unique_for_overwrite<double[]>(std::ssize(points.ids));
  std::span const all_keys(keys.get(), points.ids.size());
  while (!parted.segments().empty()) {
    parted.agree(all);
    auto const splits = find_splits(all, parted, rule.directions_of(parted), all_keys);
    parted.divide(all_keys, splits);
  }
  return parted.take_parts();
}

} // namespace seam::detail

namespace seam {
using namespace detail;

std::vector<int> partition_by_rib(Communicator const& over, point_cloud const& points,
                                  int num_parts) {
  detail::call_scope const here("partition_by_rib");
  return bisect_recursively(over, points, examine(over, points), num_parts,
                            {find_inertial_axes, true});
}

namespace {

std::vector<direction> find_longest_axes(segmented_points const& points) {
  std::vector<direction> directions;
  for (segment_facts const& whole : points.facts())
    directions.push_back(along(longest_axis(whole.box, points.num_dimensions())));
  return directions;
}

} // namespace

std::vector<int> partition_by_rcb(Communicator const& over, point_cloud const& points,
                                  int num_parts) {
  detail::call_scope const here("partition_by_rcb");
  return bisect_recursively(over, points, examine(over, points), num_parts,
                            {find_longest_axes, false});
}

} // namespace seam
