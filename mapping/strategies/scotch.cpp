#include <seam/mapping/strategies/scotch.hpp>

#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/mapping/strategies/scotch_objects.hpp>

#include <array>
#include <map>

namespace seam::detail {
namespace {

/// Builds a tree in which each vertex of level l has children[l] children. A unit of volume between
/// parts of a level costs as much as ten on the next level inside.
void build_tree(scotch_architecture& onto, std::vector<int> const& children) {
  std::vector<int> costs(children.size(), 1);
  for (int l = std::ssize(costs) - 1; l > 0; --l)
    costs[l - 1] = 10 * costs[l];
  check_scotch(SCOTCH_archTleaf(onto.get(), static_cast<int>(children.size()), children.data(),
                                costs.data()),
               "SCOTCH_archTleaf");
}

/// The processor of the architecture that Scotch gives each rank.
std::vector<int> map_onto(weighted_graph const& graph, scotch_architecture& onto) {
  auto both_ways = symmetrized(graph);
  auto weights = scaled(both_ways.edges2weights, sum_of(both_ways.edges2weights));
  scotch_context context;
  scotch_graph plain, bound;
  auto* const firsts = both_ways.ranks2edges.data();
  check_scotch(SCOTCH_graphBuild(plain.get(), 0, both_ways.num_ranks(), firsts, firsts + 1, nullptr,
                                 nullptr, both_ways.num_edges(), both_ways.edges2ranks.data(),
                                 weights.data()),
               "SCOTCH_graphBuild");
  check_scotch(SCOTCH_contextBindGraph(context.get(), plain.get(), bound.get()),
               "SCOTCH_contextBindGraph");
  scotch_strategy strategy;
  check_scotch(SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                         SCOTCH_archSize(onto.get()), imbalance),
               "SCOTCH_stratGraphMapBuild");
  std::vector<int> ranks2processors(both_ways.num_ranks(), 0);
  check_scotch(SCOTCH_graphMap(bound.get(), onto.get(), strategy.get(), ranks2processors.data()),
               "SCOTCH_graphMap");
  return ranks2processors;
}

std::vector<int> sizes_of(machine_level const& level) {
  std::vector<int> sizes;
  for (int part = 0; part < level.num_parts(); ++part)
    sizes.push_back(level.size_of(part));
  return sizes;
}

/// The number of parts of each level in each part of the level before, if it is the same number
/// everywhere; else nothing. [num_levels], without the places themselves
std::vector<int> arities(machine const& cluster) {
  std::vector<int> children;
  int num_parents = 1;
  for (machine_level const& level : cluster.levels().first(cluster.levels().size() - 1)) {
    auto const sizes = sizes_of(level);
    if (std::ranges::count(sizes, sizes.front()) != std::ssize(sizes) ||
        level.num_parts() % num_parents != 0)
      return {};
    children.push_back(level.num_parts() / num_parents);
    num_parents = level.num_parts();
  }
  return children;
}

/// This rank's neighbors, each once, with the weights of the edges both ways.
std::map<int, std::int64_t> neighbors_of(mpi::comm_view over, Topology const& topology) {
  std::map<int, std::int64_t> neighbors;
  for (auto const edges : {topology.sources(), topology.destinations()})
    for (edge const& listed : edges)
      if (!listed.leads_nowhere() && listed.rank != over.rank() && listed.weight > 0)
        neighbors[listed.rank] += listed.weight;
  return neighbors;
}

} // namespace

std::optional<filling> divide_by_scotch(division_problem const& problem) {
  if (problem.num_parts() == 1 || problem.num_ranks() == problem.num_parts())
    return divide_blocked(problem);
  scotch_architecture onto;
  build_flat(onto, problem.sizes);
  auto ranks2parts = map_onto(problem.graph, onto);
  make_sizes_exact(problem, ranks2parts);
  return filling_of(problem, ranks2parts);
}

std::optional<filling> divide_by_scotch_at_once(weighted_graph const& graph,
                                                machine const& cluster) {
  auto const children = arities(cluster);
  if (children.size() < 2)
    return std::nullopt;
  scotch_architecture onto;
  build_tree(onto, children);
  auto const sizes = sizes_of(cluster.levels()[children.size() - 1]);
  division_problem const innermost{.graph = graph, .sizes = sizes};
  auto ranks2parts = map_onto(graph, onto);
  make_sizes_exact(innermost, ranks2parts);
  return filling_of(innermost, ranks2parts);
}

std::vector<int> parts_by_scotch(mpi::comm_view over, graph_rows const& rows,
                                 std::span<int const> sizes) {
#ifdef SEAM_PT_SCOTCH // it knows processes alone
  if (!is_of_endpoints(over))
    return parts_by_pt_scotch(over, rows, sizes);
#endif
  return parts_by_gathered_scotch(over, rows, sizes);
}

int node_by_scotch(mpi::comm_view over, Topology const& topology, machine const& cluster) {
  std::vector<std::int64_t> ranks, volumes;
  for (auto const& [rank, volume] : neighbors_of(over, topology)) {
    ranks.push_back(rank);
    volumes.push_back(volume);
  }
  std::array<std::int64_t, 2> const firsts{0, std::ssize(ranks)};
  graph_rows const rows{.vertices2edges = firsts,
                        .edges2vertices = ranks,
                        .vertex_weights = {},
                        .edge_weights = volumes};
  return parts_by_scotch(over, rows, sizes_of(cluster.nodes())).front();
}

} // namespace seam::detail
