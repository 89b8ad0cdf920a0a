/// Communicators with topologies of the MPI library.
#pragma once

#include "kernel/buffers.hpp"
#include "kernel/neighbor_lists.hpp"

#include <seam/exchange.hpp>

namespace guidelines {

/// A constructor of MPI with its arguments, ready to be called.
class native_topology {
public:
  /// Computes the arguments.
  /// @param over  the processes
  /// Local.
  native_topology(experiment const& described, seam::mpi::comm_view over);

  /// Makes a communicator: one call of the MPI library.
  /// Collective: over the processes.
  seam::mpi::comm make() const;

  /// True if `made` has the topology that was asked for. Dist_graph_create leaves the order of
  /// sources to the library.
  /// Local.
  bool is_that_of(seam::mpi::comm_view made) const;

private:
  experiment described_;
  seam::mpi::comm_view over_;
  neighbor_lists lists_;
  std::vector<int> dims_, periods_;
};

/// The neighbors of this process in a communicator with a distributed graph. Local.
neighbor_lists lists_in(seam::mpi::comm_view graph);

/// The blocks that arrive along the edges of a graph: the k-th edge from a to b in the
/// destinations of a is the k-th edge from a in the sources of b.
/// @param own  this process's lists
/// Collective: over `over`, whose ranks the lists have.
std::vector<arrival> arrivals_in_graph(seam::mpi::comm_view over, neighbor_lists const& own);

/// The blocks that arrive in a Cartesian communicator of MPI: what a process sends to one side of a
/// dimension arrives from the other side.
/// @param neighbors  this process's, below and above it along each dimension
/// Local.
std::vector<arrival> arrivals_in_cartesian(std::vector<int> const& neighbors);

} // namespace guidelines
