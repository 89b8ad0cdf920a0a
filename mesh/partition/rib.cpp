#include <seam/mesh/partition/rib.hpp>

#include <seam/mesh/partition/recursive_bisection.hpp>

namespace seam {
using namespace detail;

std::vector<int> partition_by_rib(Communicator const& over, point_cloud const& points,
                                  int num_parts) {
  return detail::bisect_recursively(over, points, examine(over, points), num_parts,
                                    detail::find_inertial_axes);
}

} // namespace seam
