/// Quality of a partition: balance and communication, on which the time of a program depends.
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <vector>

namespace seam {

/// The balance of a partition: the points and weights of each part.
struct balance {
  std::vector<std::int64_t> num_points; ///< [num_parts]
  std::vector<double> weights;          ///< [num_parts]
  double imbalance = 1;                 ///< heaviest part over the mean; 1 if nothing weighs
};

/// Computes the balance of a partition, the same on all ranks.
/// @param points2parts  [num_points()] 0 to num_parts - 1
/// @throws usage_error  lengths differ, or a part is out of range (on all ranks)
/// Collective: over `over`.
balance balance_of(Communicator const& over, point_cloud const& points,
                   std::span<int const> points2parts, int num_parts);

/// The neighbors of each point: edges in compressed rows, each listed from both of its ends.
struct point_graph {
  std::span<std::int64_t const> points2edges; ///< [num_points() + 1] -> edges2ids
  std::span<global_id const> edges2ids;       ///< the point at the other end, of any rank
};

/// The communication between parts.
struct connection {
  std::int64_t edge_cut = 0;      ///< edges between two parts
  std::int64_t volume = 0;        ///< sum over all points of the other parts that need the point
  std::vector<int> num_neighbors; ///< [num_parts] parts that a part shares edges with
};

/// Computes the communication between parts, the same on all ranks.
/// @throws usage_error  as above; an edge leads to an id that no rank has (on all ranks)
/// Collective: over `over`.
connection connection_of(Communicator const& over, point_cloud const& points,
                         point_graph const& graph, std::span<int const> points2parts,
                         int num_parts);

/// The sum of the surfaces of the boxes around the parts, the same on all ranks: an estimate of the
/// cut where there is no graph. In two dimensions it is the boxes' perimeter, in one the number of
/// the parts' ends.
/// @throws usage_error  as above
/// Collective: over `over`.
double box_surface_of(Communicator const& over, point_cloud const& points,
                      std::span<int const> points2parts, int num_parts);

} // namespace seam
