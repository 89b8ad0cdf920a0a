#include <seam/c/orthogonal.h>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/edge_list.hpp>
#include <seam/framework/c/errors.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/reordering.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace {

using namespace seam;
using detail::guarded;

CartesianNaming const& required_naming(MPI_Comm cart) {
  if (cart == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, "naming: MPI_COMM_NULL (expected a communicator)");
  CartesianNaming const* const naming = naming_of(cart);
  if (naming == nullptr)
    refuse(MPI_ERR_TOPOLOGY, "naming: the communicator has no naming (expected Cart_name before)");
  return *naming;
}

std::span<int const> vector_of(CartesianNaming const& naming, int const* entries) {
  return std::span(entries, naming.num_dimensions());
}

std::span<int const> list_of(CartesianNaming const& naming, int n, int const* entries) {
  if (n < 0)
    refuse(fmt::format("naming: a list of {} vectors (expected 0 or more)", n));
  return std::span(entries, std::int64_t{n} * naming.num_dimensions());
}

dimension_order order_of(int dimorder) {
  if (dimorder != ROWMAJOR && dimorder != COLMAJOR)
    refuse(fmt::format("naming: dimension order {} (expected ROWMAJOR or COLMAJOR)", dimorder));
  return dimorder == ROWMAJOR ? dimension_order::row_major() : dimension_order::column_major();
}

/// The order of dimensions; MPI_UNDEFINED for one that Cart_name cannot give.
int dimorder_of(CartesianNaming const& naming) {
  int const d = naming.num_dimensions();
  auto const order = naming.dimorder().slowest_first(d);
  if (order == dimension_order::row_major().slowest_first(d))
    return ROWMAJOR;
  return order == dimension_order::column_major().slowest_first(d) ? COLMAJOR : MPI_UNDEFINED;
}

offset_list neighbors_of(MPI_Comm cart, int rank, int which, int shadow, int depth) {
  if (which != MANHATTAN_DISTANCE && which != CHEBYCHEV_DISTANCE)
    refuse(fmt::format("naming: metric {} (expected MANHATTAN_DISTANCE or CHEBYCHEV_DISTANCE)",
                       which));
  auto const distance = which == MANHATTAN_DISTANCE ? metric::manhattan : metric::chebyshev;
  return neighbors(required_naming(cart), rank, metric_neighborhood(distance, shadow, depth));
}

/// The weight of edge `e`; 1 if there are no weights.
int weight_at(int const* weights, int e) {
  return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY ? weights[e] : 1;
}

/// Refuses a null list of edges, and one of a negative length.
void check_list(int length, std::initializer_list<void const*> arrays) {
  if (length < 0)
    refuse(MPI_ERR_ARG, fmt::format("graph: a list of {} edges (expected 0 or more)", length));
  if (length > 0 && std::ranges::count(arrays, nullptr) > 0)
    refuse(MPI_ERR_ARG, fmt::format("graph: no array for {} edges (expected one)", length));
}

std::vector<edge> edges_of(int degree, int const* ranks, int const* weights) {
  check_list(degree, {ranks, weights});
  std::vector<edge> edges;
  for (int e = 0; e < degree; ++e)
    edges.push_back({ranks[e], weight_at(weights, e)});
  return edges;
}

Topology required_graph(MPI_Comm comm) {
  Topology topology = topology_of(comm);
  if (!topology.is_graph())
    refuse(MPI_ERR_TOPOLOGY,
           "graph: the neighbors of a communicator that is no graph (expected one "
           "of Seam_Dist_graph_create)");
  return topology;
}

/// Writes the first `most` of `edges`; weights only where the program asks for them.
void list_edges(std::span<edge const> edges, int most, int* ranks, int* weights) {
  for (int e = 0; e < std::min(most, static_cast<int>(edges.size())); ++e) {
    ranks[e] = edges[e].rank;
    if (weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY)
      weights[e] = edges[e].weight;
  }
}

/// The edges in the lists of MPI_Dist_graph_create: degrees[s] of them leave sources[s].
std::vector<listed_edge> listed(int n, int const* sources, int const* degrees,
                                int const* destinations, int const* weights) {
  check_list(n, {sources, degrees});
  std::vector<listed_edge> edges;
  for (int s = 0, e = 0; s < n; ++s) {
    check_list(degrees[s], {destinations, weights});
    for (int end = e + degrees[s]; e < end; ++e)
      edges.push_back({sources[s], destinations[e], weight_at(weights, e)});
  }
  return edges;
}

/// Returns `graph`, without weights if no rank has given any; `weighted`: this rank has.
Topology weighted_graph_if(Communicator const& over, bool weighted, Topology const& graph) {
  return largest_of_all(over.context(), weighted ? 1 : 0) != 0 ? graph : graph.unweighted();
}

/// Passes `made` to the caller, with the error handler of `parent`, of which it was made.
MPI_Comm given(Communicator made, MPI_Comm parent) {
  mpi::inherit_error_handler(parent, made.view());
  return std::move(made).give_to_mpi();
}

MPI_Comm given(std::optional<Communicator> made, MPI_Comm parent) {
  return made ? given(std::move(*made), parent) : MPI_COMM_NULL;
}

Communicator graph_of(Communicator const& over, Topology const& topology, int reorder) {
  if (over.topology().is_bipartite())
    refuse("graph: a bipartite communicator (expected one whose processes are one group)");
  require_same(over.context(), "graph: reorder", reorder != 0 ? "true" : "false");
  return reorder != 0 ? make_reordered_graph(over, topology).comm
                      : make_named_graph(over, topology);
}

bool is_in(MPI_Group group) {
  int rank = MPI_UNDEFINED;
  mpi::check(MPI_Group_rank(group, &rank), "MPI_Group_rank");
  return rank != MPI_UNDEFINED;
}

} // namespace

extern "C" {

int Comm_base(MPI_Comm comm, MPI_Comm* basecomm) {
  return guarded(comm, [&] { *basecomm = given(Communicator::attached_to(comm).base(), comm); });
}

int Seam_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  return guarded(comm, [&] { *newcomm = given(Communicator::attached_to(comm).dup(), comm); });
}

int Seam_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return guarded(comm, [&] {
    *newcomm = given(Communicator::attached_to(comm).split(color, key), comm);
  });
}

int Seam_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return guarded(comm, [&] {
    *newcomm = given(Communicator::attached_to(comm).split_type(split_type, key, info), comm);
  });
}

int Seam_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return guarded(comm,
                 [&] { *newcomm = given(Communicator::attached_to(comm).create(group), comm); });
}

int Seam_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return guarded(comm, [&] {
    *newcomm =
        is_in(group) ? given(Communicator::create_group(comm, group, tag), comm) : MPI_COMM_NULL;
  });
}

int Seam_Topo_test(MPI_Comm comm, int* status) {
  return guarded(comm, [&] {
    switch (topology_of(comm).kind()) {
    case topology_kind::complete: *status = MPI_UNDEFINED; break;
    case topology_kind::bipartite: *status = MPI_INTER; break;
    case topology_kind::graph: *status = MPI_DIST_GRAPH; break;
    }
  });
}

int Cart_name(MPI_Comm comm, int d, int dimorder, int const order[], int const period[],
              int* size) {
  return guarded(comm, [&] {
    if (d < 0)
      refuse(fmt::format("naming: {} dimensions (expected 0 or more)", d));
    std::vector<bool> const periodic(period, period + d);
    CartesianNaming naming(mpi::comm_view(comm).size(), {order, order + d}, periodic,
                           order_of(dimorder));
    *size = mpi::narrow(naming.size(), "Cart_name");
    name(comm, std::move(naming));
  });
}

int Cart_test(MPI_Comm cart, int* flag, int* d, int* size) {
  return guarded(cart, [&] {
    CartesianNaming const* const naming = naming_of(cart);
    *flag = naming != nullptr;
    if (naming != nullptr) {
      *d = naming->num_dimensions();
      *size = mpi::narrow(naming->size(), "Cart_test");
    }
  });
}

int Cart_get(MPI_Comm cart, int* dimorder, int maxd, int order[], int period[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *dimorder = dimorder_of(naming);
    for (int i = 0; i < std::min(maxd, naming.num_dimensions()); ++i) {
      order[i] = naming.order()[i];
      period[i] = naming.periodic()[i];
    }
  });
}

int Cart_rank(MPI_Comm cart, int const coordinates[], int* rank) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *rank = naming.rank(vector_of(naming, coordinates));
  });
}

int Cart_coordinates(MPI_Comm cart, int rank, int coordinates[]) {
  return guarded(cart,
                 [&] { std::ranges::copy(required_naming(cart).coordinates(rank), coordinates); });
}

int Cart_relative_rank(MPI_Comm cart, int source, int const relative[], int* dest) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *dest = naming.relative_rank(source, vector_of(naming, relative));
  });
}

int Cart_relative_coordinates(MPI_Comm cart, int source, int dest, int relative[]) {
  return guarded(cart, [&] {
    std::ranges::copy(required_naming(cart).relative_coordinates(source, dest), relative);
  });
}

int Cart_relative_shift(MPI_Comm cart, int rank, int const relative[], int* inrank, int* outrank) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    shift_ranks const ends = naming.relative_shift(rank, vector_of(naming, relative));
    *inrank = ends.in;
    *outrank = ends.out;
  });
}

int Cart_allranks(MPI_Comm cart, int n, int const coordinates[], int ranks[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    std::ranges::copy(naming.allranks(list_of(naming, n, coordinates)), ranks);
  });
}

int Cart_allranks_relative(MPI_Comm cart, int source, int n, int const relatives[], int ranks[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    std::ranges::copy(naming.allranks_relative(source, list_of(naming, n, relatives)), ranks);
  });
}

int Cart_create_sub(MPI_Comm cart, int const dimension[], MPI_Comm* subcart) {
  return guarded(cart, [&] {
    int const d = required_naming(cart).num_dimensions();
    mpi::comm sub = make_sub(cart, std::vector<bool>(dimension, dimension + d));
    if (sub.is_open())
      mpi::inherit_error_handler(cart, sub);
    *subcart = sub.release();
  });
}

int Cart_neighbors_count(MPI_Comm cart, int rank, int metric, int shadow, int depth, int* size) {
  return guarded(cart, [&] { *size = neighbors_of(cart, rank, metric, shadow, depth).size(); });
}

int Cart_neighbors(MPI_Comm cart, int rank, int metric, int shadow, int depth, int maxsize,
                   int neighbors[]) {
  return guarded(cart, [&] {
    offset_list const all = neighbors_of(cart, rank, metric, shadow, depth);
    int const count = std::clamp(maxsize, 0, all.size());
    for (int i = 0; i < count; ++i)
      neighbors = std::ranges::copy(all[i], neighbors).out;
  });
}

int Seam_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[],
                                    int const* sourceweights, int outdegree,
                                    int const destinations[], int const* destweights, MPI_Info,
                                    int reorder, MPI_Comm* graph) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    auto const edges = collectively(over.context(), [&] {
      return Topology::graph(edges_of(indegree, sources, sourceweights),
                             edges_of(outdegree, destinations, destweights));
    });
    bool const weighted = sourceweights != MPI_UNWEIGHTED || destweights != MPI_UNWEIGHTED;
    *graph = given(graph_of(over, weighted_graph_if(over, weighted, edges), reorder), comm);
  });
}

int Seam_Dist_graph_neighbors_count(MPI_Comm graph, int* indegree, int* outdegree, int* weighted) {
  return guarded(graph, [&] {
    Topology const topology = required_graph(graph);
    *indegree = static_cast<int>(topology.sources().size());
    *outdegree = static_cast<int>(topology.destinations().size());
    *weighted = topology.is_weighted() ? 1 : 0;
  });
}

int Seam_Dist_graph_neighbors(MPI_Comm graph, int maxindegree, int sources[], int* sourceweights,
                              int maxoutdegree, int destinations[], int* destweights) {
  return guarded(graph, [&] {
    Topology const topology = required_graph(graph);
    list_edges(topology.sources(), maxindegree, sources, sourceweights);
    list_edges(topology.destinations(), maxoutdegree, destinations, destweights);
  });
}

int Seam_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[],
                           int const destinations[], int const* weights, MPI_Info, int reorder,
                           MPI_Comm* graph) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    auto const edges = collectively(over.context(), [&] {
      return listed(n, sources, degrees, destinations, weights);
    });
    auto const graph_of_all =
        weighted_graph_if(over, weights != MPI_UNWEIGHTED, topology_from(over, edges));
    *graph = given(graph_of(over, graph_of_all, reorder), comm);
  });
}

} // extern "C"
