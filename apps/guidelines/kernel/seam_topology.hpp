/// Communicators with topologies of seam.
#pragma once

#include "kernel/neighbor_lists.hpp"

#include <seam/exchange.hpp>

namespace guidelines {

/// The construction of a topology of seam, ready to be repeated.
///
/// Dist_graph_create lists the edges at their sources, any others at both ends. Processes of a grid
/// are named, so that seam finds out whether their graph is Cartesian. The edges of Cartesian and
/// those beyond borders are as lists_of() has them.
class seam_topology {
public:
  /// Names a copy of `world` and computes this process's edges.
  /// Collective: over `world`.
  seam_topology(experiment const& described, seam::Communicator const& world);

  /// Makes the communicator; for Complete a copy of the processes.
  /// Collective: over the processes.
  seam::Communicator make() const;

  /// True if `made` has the topology that was asked for. Local.
  bool is_that_of(seam::Communicator const& made) const;

private:
  seam::Topology topology() const;

  experiment described_;
  seam::Communicator over_;
  neighbor_lists lists_;
};

/// The ranks at the other ends of the edges of this process. Local.
neighbor_lists lists_in(seam::Communicator const& graph);

} // namespace guidelines
