#include <seam/mesh/partition/rib.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/partition/recursive_bisection.hpp>

namespace seam {
using namespace detail;

std::vector<int> partition_by_rib(Communicator const& over, point_cloud const& points,
                                  int num_parts) {
  detail::call_scope const here("partition_by_rib");
  return bisect_recursively(over, points, examine(over, points), num_parts,
                            {find_inertial_axes, true});
}

} // namespace seam
