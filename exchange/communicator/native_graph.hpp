/// Graphs in MPI's communicators: what MPI keeps of them, and what seam keeps beside it.
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// @throws usage_error  `comm` is MPI_COMM_NULL. Local.
void check_is_open(mpi::comm_view comm);

/// The Cartesian structure that is kept with a graph made by seam, or with a copy of it; nullptr
/// for other communicators. Local.
std::shared_ptr<cartesian_structure const> structure_of(mpi::comm_view comm);

/// The edges of a process of `all` whose other ends belong to `part`, with ranks of `part`, and
/// those that lead nowhere. Local.
std::vector<edge> edges_inside(std::span<edge const> edges, mpi::comm_view all,
                               mpi::comm_view part);

/// A graph communicator with the ranks of `over`.
/// Collective: over `over`.
mpi::comm make_native_graph(mpi::comm_view over, Topology const& topology,
                            std::shared_ptr<cartesian_structure const> structure);

} // namespace seam::detail
