/// The topology of a communicator: which processes exchange messages ([Traeff2021] sec. 2).
///
///     complete     each process with each
///     bipartite    each process with those of the other group
///     graph        along weighted, directed edges; every process knows its own
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace seam {

/// The three structures that a communicator can have.
enum class topology_kind { complete, bipartite, graph };

/// One end of a directed edge: the process at its other end, and the edge's weight. An edge with
/// MPI_PROC_NULL leads nowhere: it keeps its place, and that of its block, in the order of edges,
/// and nothing travels along it. Stencils get such edges beyond borders.
struct edge {
  int rank;
  int weight = 1;

  bool leads_nowhere() const noexcept { return rank == MPI_PROC_NULL; }

  friend bool operator==(edge const&, edge const&) = default;
};

/// One process's part of its communicator's structure. An immutable value. Two topologies are equal
/// if their edges and weights are: an edge without a weight is as one of weight 1.
///
/// The order of a graph's edges is the user's, and is the order of blocks in collectives. Edges may
/// repeat and may lead back to the process itself; the k-th edge from rank a to rank b in a's
/// destinations is the k-th edge from a in b's sources.
class Topology {
public:
  /// Each process with each. The default.
  static Topology complete();

  /// Each process with those of the other group.
  static Topology bipartite();

  /// This process receives along `sources` and sends along `destinations`, in these orders.
  static Topology graph(std::vector<edge> sources, std::vector<edge> destinations);

  topology_kind kind() const noexcept { return kind_; }
  bool is_complete() const noexcept { return kind_ == topology_kind::complete; }
  bool is_bipartite() const noexcept { return kind_ == topology_kind::bipartite; }
  bool is_graph() const noexcept { return kind_ == topology_kind::graph; }

  /// The topology without weights, as MPI_UNWEIGHTED makes it: each edge counts 1.
  Topology unweighted() const;

  /// False for graphs that were made without weights, and for the other kinds.
  bool is_weighted() const noexcept { return is_graph() && is_weighted_; }

  /// Edges that end here; empty unless the topology is a graph.
  std::span<edge const> sources() const noexcept;

  /// Edges that begin here; empty unless the topology is a graph.
  std::span<edge const> destinations() const noexcept;

  /// The topology with the directions of its edges turned round.
  Topology inverse() const;

  /// A topology of other edges, weighted if this one is.
  Topology with_edges(std::vector<edge> sources, std::vector<edge> destinations) const;

  friend bool operator==(Topology const& a, Topology const& b);

private:
  Topology(topology_kind kind, std::vector<edge> sources, std::vector<edge> destinations);

  topology_kind kind_;
  bool is_weighted_ = true;
  std::vector<edge> sources_, destinations_;
};

} // namespace seam
