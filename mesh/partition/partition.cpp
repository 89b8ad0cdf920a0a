#include <seam/mesh/partition/partition.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/partition/hilbert.hpp>
#include <seam/mesh/partition/rcb.hpp>
#include <seam/mesh/partition/rib.hpp>

namespace seam {

std::string_view name_of(partition_method method) noexcept {
  switch (method) {
  case partition_method::rib: return "rib";
  case partition_method::rcb: return "rcb";
  case partition_method::hilbert: return "hilbert";
  case partition_method::scotch: break;
  }
  return "scotch";
}

std::vector<int> partition(Communicator const& over, point_cloud const& points, int num_parts,
                           partition_method method) {
  switch (method) {
  case partition_method::rib: return partition_by_rib(over, points, num_parts);
  case partition_method::rcb: return partition_by_rcb(over, points, num_parts);
  case partition_method::hilbert: return partition_by_hilbert(over, points, num_parts);
  case partition_method::scotch: break;
  }
  collectively(over.context(), [] {
    refuse("partition: points by scotch (expected a geometric method, or a mesh)");
  });
  return {};
}

} // namespace seam
