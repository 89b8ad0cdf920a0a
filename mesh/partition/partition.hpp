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
  rib,     ///< recursive inertial bisection
  rcb,     ///< recursive coordinate bisection
  hilbert, ///< along Hilbert's curve
  scotch   ///< few edges between parts: for meshes and graphs, partition_mesh.hpp
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

/// The part of each of this rank's points, by recursive cuts of groups of points across the axis
/// along which they vary most.
///
/// Parts have equal weights as closely as points allow: each cut divides the weight of a group of P
/// parts as floor(P/2) : ceil(P/2). Points that project to the same place are divided by id. The
/// result depends only on the points, not on their ranks or order.
///
/// @param num_parts  at least 1; unrelated to the number of ranks
/// @throws usage_error  as examine(); num_parts is below 1 or differs between ranks (the same line
///         on all ranks)
/// Collective: over `over`.
/// Cost: log2(num_parts) levels of four passes over the own points and about eight allreduces.
/// Source: [Ibanez2015] sec. 5.2; differs in that points stay where they are and that all groups of
/// a level are cut together.
std::vector<int> partition_by_rib(Communicator const& over, point_cloud const& points,
                                  int num_parts);

/// The part of each of this rank's points, as in partition_by_rib(), but each cut goes across the
/// coordinate axis along which the box of the group is longest; the first one of equal axes.
///
/// Collective: over `over`.
/// Source: [Berger1987] (M. Berger, S. Bokhari: A partitioning strategy for nonuniform problems on
/// multiprocessors. IEEE Trans. Computers, 1987).
std::vector<int> partition_by_rcb(Communicator const& over, point_cloud const& points,
                                  int num_parts);

/// The part of each of this rank's points, as in partition_by_rib(), but cut along Hilbert's curve
/// through the cube around the cloud: part p + 1 begins where part p ends.
///
/// The curve has 2^17 steps along each edge of a cube, 2^26 of a square; points in one step are
/// divided by id. In one dimension it is the axis.
/// Collective: over `over`.
/// Source: J. Skilling: Programming the Hilbert curve. AIP Conf. Proc. 707, 2004.
std::vector<int> partition_by_hilbert(Communicator const& over, point_cloud const& points,
                                      int num_parts);

namespace detail {

/// The position of each point along the curve by which partition_by_hilbert() cuts. [num_points()]
/// Collective: over `over`.
std::vector<double> positions_on_curve(Communicator const& over, point_cloud const& points,
                                       cloud_facts const& facts);

} // namespace detail

/// The position on Hilbert's curve of a cell, in a grid of 2^bits cells along each axis.
///
/// @param cell  [num_dimensions], each from 0 to 2^bits - 1; bits * num_dimensions at most 62
/// Local.
std::int64_t hilbert_index(std::span<std::uint32_t const> cell, int bits);

} // namespace seam
