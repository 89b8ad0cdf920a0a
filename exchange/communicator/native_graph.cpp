#include <seam/exchange/communicator/native_graph.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

/// Properties of a graph that MPI does not keep: its edges that lead nowhere, and its structure.
struct known_graph {
  Topology topology;
  std::shared_ptr<cartesian_structure const> structure;
};
using kept_graph = std::shared_ptr<known_graph const>;

/// Copies of an MPI communicator keep the same graph.
using graph_attribute = mpi::attribute<kept_graph, mpi::on_copy::copies_value>;

void keep_graph(mpi::comm_view with, known_graph graph) {
  graph_attribute::keep(
      with, std::make_unique<kept_graph>(std::make_shared<known_graph>(std::move(graph))));
}

/// The graph that is kept with a communicator made by seam, or with a copy of one; nullptr with
/// others.
known_graph const* graph_kept_with(mpi::comm_view comm) {
  auto const* const found = graph_attribute::of(comm);
  return found != nullptr ? found->get() : nullptr;
}

/// A list of edges as MPI takes it: ranks and weights in arrays of their own.
struct edge_arrays {
  explicit edge_arrays(std::size_t degree) : ranks(degree), weights(degree) {}
  /// The edges that lead to a process: MPI knows no others.
  explicit edge_arrays(std::span<edge const> edges) {
    for (edge const& listed : edges)
      if (!listed.leads_nowhere()) {
        ranks.push_back(listed.rank);
        weights.push_back(listed.weight);
      }
  }

  int degree() const { return static_cast<int>(ranks.size()); }

  /// The weights as MPI takes them, or MPI's constant for them: the same kind on all ranks.
  int const* weight_argument(bool weighted) const {
    if (!weighted)
      return MPI_UNWEIGHTED;
    return ranks.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
  }

  std::vector<edge> edges(bool weighted) const {
    std::vector<edge> list;
    for (int i = 0; i < std::ssize(ranks); ++i)
      list.push_back({ranks[i], weighted ? weights[i] : 1});
    return list;
  }

  std::vector<int> ranks, weights;
};

Topology distributed_graph_of(mpi::comm_view comm) {
  int in = 0, out = 0, weighted = 0;
  mpi::check(MPI_Dist_graph_neighbors_count(comm.native(), &in, &out, &weighted),
             "MPI_Dist_graph_neighbors_count");
  edge_arrays sources(in), destinations(out);
  mpi::check(MPI_Dist_graph_neighbors(comm.native(), in, sources.ranks.data(),
                                      sources.weights.data(), out, destinations.ranks.data(),
                                      destinations.weights.data()),
             "MPI_Dist_graph_neighbors");
  auto const graph =
      Topology::graph(sources.edges(weighted != 0), destinations.edges(weighted != 0));
  return weighted != 0 ? graph : graph.unweighted();
}

Topology replicated_graph_of(mpi::comm_view comm) {
  int degree = 0;
  mpi::check(MPI_Graph_neighbors_count(comm.native(), comm.rank(), &degree),
             "MPI_Graph_neighbors_count");
  edge_arrays neighbors(degree);
  mpi::check(MPI_Graph_neighbors(comm.native(), comm.rank(), degree, neighbors.ranks.data()),
             "MPI_Graph_neighbors");
  return Topology::graph(neighbors.edges(false), neighbors.edges(false)).unweighted();
}

/// `ranks` of `from` as ranks of `to`, or MPI_UNDEFINED.
std::vector<int> ranks_in(mpi::comm_view to, mpi::comm_view from, std::vector<int> const& ranks) {
  std::vector<int> found(ranks.size());
  if (mpi::context const* const endpoints = mpi::context_of(from)) {
    auto const& members = mpi::context_of(to)->members();
    std::ranges::transform(ranks, found.begin(), [&](int rank) {
      auto const there = std::ranges::find(members, endpoints->members()[rank]);
      return there != members.end() ? static_cast<int>(there - members.begin()) : MPI_UNDEFINED;
    });
    return found;
  }
  mpi::group old, chosen;
  mpi::check(MPI_Comm_group(from.native(), old.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(to.native(), chosen.receive()), "MPI_Comm_group");
  mpi::check(MPI_Group_translate_ranks(old.native(), static_cast<int>(ranks.size()), ranks.data(),
                                       chosen.native(), found.data()),
             "MPI_Group_translate_ranks");
  return found;
}

} // namespace

void check_is_open(mpi::comm_view comm) {
  if (comm.native() == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, "communicator: MPI_COMM_NULL (expected a communicator)");
}

std::shared_ptr<cartesian_structure const> structure_of(mpi::comm_view comm) {
  auto const* const kept = graph_kept_with(comm);
  return kept != nullptr ? kept->structure : nullptr;
}

std::vector<edge> edges_inside(std::span<edge const> edges, mpi::comm_view all,
                               mpi::comm_view part) {
  auto const ranks = ranks_in(part, all, edge_arrays(edges).ranks);
  std::vector<edge> kept;
  auto rank = ranks.begin();
  for (edge const& listed : edges)
    if (int const there = listed.leads_nowhere() ? MPI_PROC_NULL : *rank++; there != MPI_UNDEFINED)
      kept.push_back({there, listed.weight});
  return kept;
}

mpi::comm make_native_graph(mpi::comm_view over, Topology const& topology,
                            std::shared_ptr<cartesian_structure const> structure) {
  if (mpi::context_of(over) != nullptr) {
    mpi::comm copy = mpi::dup(over);
    keep_graph(copy, {topology, std::move(structure)});
    return copy;
  }
  edge_arrays const sources(topology.sources()), destinations(topology.destinations());
  bool const weighted = topology.is_weighted();
  constexpr int no_reordering = 0;
  mpi::comm graph;
  blocking_call const now(over, "MPI_Dist_graph_create_adjacent");
  mpi::check(MPI_Dist_graph_create_adjacent(over.native(), sources.degree(), sources.ranks.data(),
                                            sources.weight_argument(weighted),
                                            destinations.degree(), destinations.ranks.data(),
                                            destinations.weight_argument(weighted), MPI_INFO_NULL,
                                            no_reordering, graph.receive()),
             "MPI_Dist_graph_create_adjacent");
  keep_graph(graph, {topology, std::move(structure)});
  return graph;
}

} // namespace seam::detail

namespace seam {
using namespace detail;

Topology topology_of(mpi::comm_view comm) {
  check_is_open(comm);
  if (auto const* const kept = graph_kept_with(comm))
    return kept->topology;
  if (mpi::is_bipartite(comm))
    return Topology::bipartite();
  int kind = MPI_UNDEFINED;
  mpi::check(MPI_Topo_test(comm.native(), &kind), "MPI_Topo_test");
  if (kind == MPI_DIST_GRAPH)
    return distributed_graph_of(comm);
  if (kind == MPI_GRAPH)
    return replicated_graph_of(comm);
  return Topology::complete();
}

} // namespace seam
