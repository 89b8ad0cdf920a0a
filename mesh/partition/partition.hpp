/// Partition: assigns each point of a cloud to a part, by any of the geometric methods.
///
///     auto const points2parts = partition(comm, points, 64, partition_method::rib);
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

enum class partition_method {
  rib,     ///< recursive inertial bisection, rib.hpp
  rcb,     ///< recursive coordinate bisection, rcb.hpp
  hilbert, ///< along Hilbert's curve, hilbert.hpp
  scotch   ///< few edges between parts, partition/scotch.hpp: for meshes, partition_mesh.hpp
};

/// All methods, in the order of the enumeration. Local.
std::span<partition_method const> partition_methods() noexcept;

/// The name of the method as in the enumeration: "rib".
/// @throws usage_error  there is no such method
std::string_view name_of(partition_method method);

/// The names of all methods, in the order of the enumeration. Local.
std::vector<std::string> names_of_partition_methods();

/// The method of a name, as name_of() returns it.
/// @throws usage_error  there is no such name
/// Local.
partition_method partition_method_of(std::string_view name);

/// True if the method divides points by their coordinates; false if it needs a graph. Local.
bool is_geometric(partition_method method);

/// The methods that divide points, in the order of the enumeration. Local.
std::vector<partition_method> geometric_partition_methods();

/// The part of each of this rank's points, 0 to num_parts - 1. [num_points()]
///
/// The number of parts and the weights are arbitrary; the result does not depend on the
/// distribution of points over ranks. See partition_by_rib() for the guarantees of all methods.
/// @throws usage_error  as examine(); num_parts is below 1 or differs between ranks; the method
///         needs a graph (the same line on all ranks)
/// Collective: over `over`.
std::vector<int> partition(Communicator const& over, point_cloud const& points, int num_parts,
                           partition_method method);

} // namespace seam
