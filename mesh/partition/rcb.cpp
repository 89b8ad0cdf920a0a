#include <seam/mesh/partition/rcb.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/partition/recursive_bisection.hpp>

namespace seam {
using namespace detail;

namespace {

std::vector<detail::direction> find_longest_axes(mpi::comm_view all,
                                                 detail::segmented_points const& points) {
  std::vector<detail::direction> directions;
  for (bounding_box const& box : detail::find_boxes(all, points))
    directions.push_back(detail::along(detail::longest_axis(box, points.num_dimensions())));
  return directions;
}

} // namespace

std::vector<int> partition_by_rcb(Communicator const& over, point_cloud const& points,
                                  int num_parts) {
  detail::call_scope const here("partition_by_rcb");
  return detail::bisect_recursively(over, points, examine(over, points), num_parts,
                                    find_longest_axes);
}

} // namespace seam
