/// Mapping: coordinates for ranks, neighborhoods, the machine, and an order of ranks in which
/// neighbors are close.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     auto const dims = seam::dims_create(world.size(), std::array{0, 0});
///     seam::CartesianNaming const naming(world.size(), dims, {true, true});
///     auto const [near, report] = seam::reorder(world, naming, seam::von_neumann(1));
///     auto const grid = seam::make_named_graph(
///         near, seam::make_topology(naming, near.rank(), seam::von_neumann(1)));
///
/// Brings CartesianNaming, dims_create(), neighborhoods and neighbors, machine and placement,
/// reorder(), and map_ranks() for machines that are only described.
///
/// Threads: values from any thread; collective calls by one thread of a rank at a time.
#pragma once

#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/machine.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>
#include <seam/mapping/placement.hpp>
#include <seam/mapping/rank_mapping.hpp>
#include <seam/mapping/reordering.hpp>
