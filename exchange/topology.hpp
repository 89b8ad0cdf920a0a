/// The topology of a communicator: which process may talk to which ([Traeff2021] sec. 2).
///
/// Complete: everybody with everybody. Bipartite: each process with those of the other group.
/// Graph: along weighted, directed edges, of which every process knows its own.
#pragma once

#include <mpi.h>

#include <span>
#include <utility>
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

/// What one process knows of its communicator's structure. An immutable value.
///
/// The order of a graph's edges is the user's, and is the order of blocks in collectives. Edges may
/// repeat and may lead back to the process itself; the k-th edge from rank a to rank b in a's
/// destinations is the k-th edge from a in b's sources.
class Topology {
public:
  /// Everybody with everybody. The default.
  static Topology complete() { return {topology_kind::complete, {}, {}}; }

  /// Every process with those of the other group.
  static Topology bipartite() { return {topology_kind::bipartite, {}, {}}; }

  /// This process receives along `sources` and sends along `destinations`, in these orders.
  static Topology graph(std::vector<edge> sources, std::vector<edge> destinations) {
    return {topology_kind::graph, std::move(sources), std::move(destinations)};
  }

  topology_kind kind() const noexcept { return kind_; }
  bool is_graph() const noexcept { return kind_ == topology_kind::graph; }

  /// Edges that end here; empty unless the topology is a graph.
  std::span<edge const> sources() const noexcept { return sources_; }

  /// Edges that begin here; empty unless the topology is a graph.
  std::span<edge const> destinations() const noexcept { return destinations_; }

  /// The same edges with their directions turned round.
  Topology inverse() const { return {kind_, destinations_, sources_}; }

  friend bool operator==(Topology const&, Topology const&) = default;

private:
  Topology(topology_kind kind, std::vector<edge> sources, std::vector<edge> destinations)
      : kind_(kind), sources_(std::move(sources)), destinations_(std::move(destinations)) {}

  topology_kind kind_;
  std::vector<edge> sources_, destinations_;
};

} // namespace seam
