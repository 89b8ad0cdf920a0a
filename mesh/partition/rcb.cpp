#include <seam/mesh/partition/rcb.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/partition/recursive_bisection.hpp>

namespace seam {
using namespace detail;

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
