#include <seam/mapping/reordering.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/joint_mapping.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/rank_order.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

/// Dimensions from the slowest to the fastest, as strategies number the points of a grid.
stencil_grid in_row_major(std::vector<int> const& slowest_first, std::span<int const> extent,
                          std::vector<bool> const& periodic, offset_list const& offsets) {
  stencil_grid grid{{}, {}, offset_list(offsets.num_dimensions())};
  for (int const k : slowest_first) {
    grid.extent.push_back(extent[k]);
    grid.periodic.push_back(periodic[k]);
  }
  for (int i = 0; i < offsets.size(); ++i) {
    std::vector<int> offset;
    for (int const k : slowest_first)
      offset.push_back(offsets[i][k]);
    grid.offsets.push_back(offset, offsets.weight(i));
  }
  return grid;
}

/// The edges between named processes where the grid has other than a point for each.
weighted_graph graph_of(CartesianNaming const& naming, neighborhood const& around) {
  auto const offsets = around.expand(naming.num_dimensions());
  weighted_graph graph;
  for (int rank = 0; rank < naming.num_processes(); ++rank) {
    auto const leading = neighbors(naming, rank, offsets);
    for (int i = 0; i < std::ssize(leading); ++i) {
      graph.edges2ranks.push_back(naming.relative_rank(rank, leading[i]));
      graph.edges2weights.push_back(leading.weight(i));
    }
    graph.ranks2edges.push_back(graph.num_edges());
  }
  return graph;
}

mapping_problem problem_of(CartesianNaming const& naming, neighborhood const& around,
                           placement const& placed) {
  if (naming.size() != naming.num_processes())
    return {graph_of(naming, around), placed.tree, placed.ranks2places};
  int const d = naming.num_dimensions();
  return {in_row_major(naming.dimorder().slowest_first(d), naming.order(), naming.periodic(),
                       around.expand(d)),
          placed.tree, placed.ranks2places};
}

/// The dimensions of a Cartesian graph, from the largest stride of ranks to the smallest.
std::vector<int> slowest_first(cartesian_structure const& on) {
  std::vector<int> dimensions(on.extent.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  std::ranges::stable_sort(dimensions, std::greater(), [&](int k) { return on.stride[k]; });
  return dimensions;
}

/// The weight of each vector of a Cartesian graph if it is positive and the same everywhere, else
/// nothing. [on.vectors.size()]
/// Collective: over `over`.
std::vector<int> common_weights(mpi::comm_view over, cartesian_structure const& on,
                                Topology const& topology) {
  constexpr int none = -1;
  std::vector<int> largest(on.vectors.size(), none);
  auto const destinations = topology.destinations();
  bool agrees = true;
  for (int e = 0; e < std::ssize(destinations); ++e)
    if (int const v = on.destinations2vectors[e]; v >= 0) {
      largest[v] = destinations[e].weight;
      agrees = agrees && destinations[e].weight > 0;
    }
  auto const own = largest;
  mpi::allreduce(over, std::span(largest), MPI_MAX);
  for (int v = 0; v < std::ssize(own); ++v)
    agrees = agrees && (own[v] == none || own[v] == largest[v]) && largest[v] != none;
  return mpi::allreduce(over, agrees ? 1 : 0, MPI_MIN) == 1 ? largest : std::vector<int>();
}

/// The grid that a graph is, if it is Cartesian and its weights are the same everywhere.
/// Collective: over `over`.
std::optional<stencil_grid> grid_of(Communicator const& over, Topology const& topology) {
  auto const on = cartesian_structure_of(over, topology);
  if (on == nullptr)
    return std::nullopt;
  auto const weights = common_weights(over.context(), *on, topology);
  if (weights.size() != on->vectors.size())
    return std::nullopt;
  offset_list offsets(on->num_dimensions());
  for (int v = 0; v < std::ssize(weights); ++v)
    offsets.push_back(on->vectors[v], weights[v]);
  return in_row_major(slowest_first(*on), on->extent, on->periodic, offsets);
}

/// Makes the problem of a Cartesian graph as that of its grid, that of another graph from what rank 0
/// gathers.
/// Collective: over `over`.
problem_maker problem_of(Communicator const& over, Topology const& topology) {
  if (auto grid = grid_of(over, topology))
    return [grid = std::move(*grid)](placement const& on) {
      return mapping_problem(grid, on.tree, on.ranks2places);
    };
  return [graph = gather_graph(over.context(), topology)](placement const& on) mutable {
    return mapping_problem(std::move(graph), on.tree, on.ranks2places);
  };
}

/// Reorders, and adds the time to the report.
template <class F>
reordered_communicator timed(Communicator const& over, F&& run) {
  double const begin = MPI_Wtime();
  reordered_communicator made = run();
  made.report.seconds = mpi::allreduce(over.context(), MPI_Wtime() - begin, MPI_MAX);
  explain(made.comm.context(),
          [&] { return fmt::format("mapping: {}\n", to_string(made.report)); });
  return made;
}

void check(Communicator const& over, CartesianNaming const& naming) {
  if (mpi::is_bipartite(over.view()))
    refuse("reordering: a bipartite communicator (expected one whose processes are one group)");
  if (naming.num_processes() != over.size())
    refuse(fmt::format("reordering: a naming for {} processes, {} there (expected as many)",
                       naming.num_processes(), over.size()));
}

void check(Communicator const& over, Topology const& topology) {
  if (mpi::is_bipartite(over.view()))
    refuse("reordering: a bipartite communicator (expected one whose processes are one group)");
  if (!topology.is_graph())
    refuse("reordering: the topology has no edges (expected Topology::graph)");
  auto const check_end = [&](edge const& listed) {
    if (!listed.leads_nowhere() &&
        (listed.rank < 0 || listed.rank >= over.size() || listed.weight < 0))
      refuse(fmt::format("reordering: an edge to rank {} of weight {} (expected ranks 0 to {} and "
                         "no negative weight)",
                         listed.rank, listed.weight, over.size() - 1));
  };
  std::ranges::for_each(topology.sources(), check_end);
  std::ranges::for_each(topology.destinations(), check_end);
}

} // namespace

std::string to_string(reordering_report const& report) {
  return fmt::format("{}: {} to {}; {} ranks moved in {:.1f} ms on '{}'", report.strategy,
                     to_string(report.before), to_string(report.after), report.num_moved,
                     1e3 * report.seconds, report.machine);
}

reordered_communicator reorder(Communicator const& over, CartesianNaming const& naming,
                               neighborhood const& around, reordering const& how) {
  detail::call_scope const here("reorder");
  collectively(over.context(), [&] { check(over, naming); });
  require_same(over.context(), "reordering: naming", to_string(naming));
  return timed(over, [&] {
    mpi::comm_view const all = over.context();
    auto const strategy = strategy_named(all, how);
    auto const order = strategy == joint_strategy
                           ? plan_jointly(all, how, make_topology(naming, over.rank(), around))
                           : plan_on_root(all, how, strategy, [&](placement const& on) {
                               return problem_of(naming, around, on);
                             });
    reordered_communicator made{permuted(over, order.own), order.report};
    name(made.comm.view(), naming);
    return made;
  });
}

reordered_communicator make_reordered_graph(Communicator const& over, Topology const& topology,
                                            reordering const& how) {
  detail::call_scope const here("make_reordered_graph");
  collectively(over.context(), [&] { check(over, topology); });
  check_graph(over, topology);
  return timed(over, [&] {
    mpi::comm_view const all = over.context();
    auto const strategy = strategy_named(all, how);
    auto const order = strategy == joint_strategy
                           ? plan_jointly(all, how, topology)
                           : plan_on_root(all, how, strategy, problem_of(over, topology));
    Communicator const base = permuted(over, order.own);
    if (auto const* const naming = naming_of(over.view()))
      name(base.view(), *naming);
    auto const own_edges = handed_over(all, topology, order.own);
    reordered_communicator made{make_named_graph(base, own_edges), order.report};
    if (auto const* const naming = naming_of(over.view()))
      name(made.comm.view(), *naming);
    return made;
  });
}

} // namespace seam
