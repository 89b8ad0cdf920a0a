#include <seam/mapping/strategies/scotch.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>

// In this order: the second needs the first.
#include <scotch.h>

#include <ptscotch.h>

namespace seam::detail {
namespace {

/// The share by which a part may differ from its size before sizes are made exact. Scotch finds a
/// smaller volume between parts that need not be exact.
constexpr double imbalance = 0.02;

void check(int outcome, char const* call) {
  if (outcome != 0)
    refuse(fmt::format("mapping: {} failed", call));
}

/// An object of Scotch, which ends with this one.
template <class Object, auto init, auto exit>
class scotch_object {
public:
  template <class... Arguments>
  explicit scotch_object(Arguments... arguments) {
    check(init(&object_, arguments...), "an initialization of Scotch");
  }
  scotch_object(scotch_object const&) = delete;
  scotch_object& operator=(scotch_object const&) = delete;
  ~scotch_object() { exit(&object_); }
  Object* get() { return &object_; }

private:
  Object object_{};
};
using scotch_graph = scotch_object<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using scotch_dgraph = scotch_object<SCOTCH_Dgraph, SCOTCH_dgraphInit, SCOTCH_dgraphExit>;
using scotch_strategy = scotch_object<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using scotch_architecture = scotch_object<SCOTCH_Arch, SCOTCH_archInit, SCOTCH_archExit>;

/// Makes the results of Scotch the same every time: one thread and its own random generator.
class scotch_context
    : public scotch_object<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit> {
public:
  scotch_context() {
    if (SCOTCH_numSizeof() != static_cast<int>(sizeof(SCOTCH_Num)))
      refuse("mapping: Scotch's library and its header disagree on the size of a number");
    check(SCOTCH_contextOptionSetNum(get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1),
          "SCOTCH_contextOptionSetNum");
    check(SCOTCH_contextThreadSpawn(get(), 1, nullptr), "SCOTCH_contextThreadSpawn");
    check(SCOTCH_contextRandomClone(get()), "SCOTCH_contextRandomClone");
    SCOTCH_contextRandomSeed(get(), 1);
    SCOTCH_contextRandomReset(get());
  }
};

/// Weights as Scotch takes them: at least 1, and scaled down where `sum`, the sum of all of them,
/// is too large for its numbers.
std::vector<SCOTCH_Num> scaled(std::span<std::int64_t const> weights, double sum) {
  constexpr double most = 1 << 29;
  double const unit = std::max(1.0, sum / most);
  std::vector<SCOTCH_Num> numbers;
  for (auto const weight : weights)
    numbers.push_back(std::max(1, static_cast<SCOTCH_Num>(static_cast<double>(weight) / unit)));
  return numbers;
}

double sum_of(std::span<std::int64_t const> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Builds processors of these sizes, all at the same distance from each other.
void build_flat(scotch_architecture& onto, std::span<int const> sizes) {
  check(SCOTCH_archCmpltw(onto.get(), static_cast<int>(sizes.size()), sizes.data()),
        "SCOTCH_archCmpltw");
}

/// Builds a tree in which each vertex of level l has children[l] children. A unit of volume between
/// parts of a level costs as much as ten on the next level inside.
void build_tree(scotch_architecture& onto, std::vector<int> const& children) {
  std::vector<int> costs(children.size(), 1);
  for (int l = std::ssize(costs) - 1; l > 0; --l)
    costs[l - 1] = 10 * costs[l];
  check(SCOTCH_archTleaf(onto.get(), static_cast<int>(children.size()), children.data(),
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
  check(SCOTCH_graphBuild(plain.get(), 0, both_ways.num_ranks(), firsts, firsts + 1, nullptr,
                          nullptr, both_ways.num_edges(), both_ways.edges2ranks.data(),
                          weights.data()),
        "SCOTCH_graphBuild");
  check(SCOTCH_contextBindGraph(context.get(), plain.get(), bound.get()),
        "SCOTCH_contextBindGraph");
  scotch_strategy strategy;
  check(SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                  SCOTCH_archSize(onto.get()), imbalance),
        "SCOTCH_stratGraphMapBuild");
  std::vector<int> ranks2processors(both_ways.num_ranks(), 0);
  check(SCOTCH_graphMap(bound.get(), onto.get(), strategy.get(), ranks2processors.data()),
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

std::vector<SCOTCH_Num> numbers_of(std::span<std::int64_t const> values) {
  return {values.begin(), values.end()};
}

/// Weights as Scotch takes them; no array if no rank has weights. If another rank has some, a rank
/// without reserves memory for one: its pointer is then not null.
/// Collective: over `over`.
std::vector<SCOTCH_Num> joint_weights(mpi::comm_view over, std::span<std::int64_t const> weights) {
  auto numbers = scaled(weights, mpi::allreduce(over, sum_of(weights), MPI_SUM));
  if (mpi::allreduce(over, std::ssize(weights), MPI_MAX) > 0)
    numbers.reserve(1);
  return numbers;
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
  auto const num_vertices = std::ssize(rows.vertices2edges) - 1;
  auto const num_edges = std::ssize(rows.edges2vertices);
  auto const total = mpi::allreduce(over, num_edges, MPI_SUM);
  collectively(over, [&] {
    if (total > std::numeric_limits<SCOTCH_Num>::max())
      refuse(fmt::format("mapping: a graph with {} ends of edges for PT-Scotch (expected at most "
                         "{}, or a Scotch with larger numbers)",
                         total, std::numeric_limits<SCOTCH_Num>::max()));
  });
  auto firsts = numbers_of(rows.vertices2edges), others = numbers_of(rows.edges2vertices);
  auto vertex_weights = joint_weights(over, rows.vertex_weights);
  auto edge_weights = joint_weights(over, rows.edge_weights);
  std::vector<SCOTCH_Num> parts(num_vertices);
  for (auto* numbers : {&others, &parts})
    numbers->reserve(1); // a null pointer would mean that others have no such array either
  require_processes(over, "PT-Scotch");
  mpi::comm const own = mpi::dup(over);
  scotch_context context;
  scotch_dgraph plain(own.native()), bound(own.native());
  collectively(over, [&] {
    auto const edges = static_cast<SCOTCH_Num>(num_edges);
    auto const vertices = static_cast<SCOTCH_Num>(num_vertices);
    check(SCOTCH_dgraphBuild(plain.get(), 0, vertices, vertices, firsts.data(), firsts.data() + 1,
                             vertex_weights.data(), nullptr, edges, edges, others.data(), nullptr,
                             edge_weights.data()),
          "SCOTCH_dgraphBuild");
    check(SCOTCH_dgraphCheck(plain.get()), "SCOTCH_dgraphCheck");
  });
  scotch_architecture onto;
  build_flat(onto, sizes);
  scotch_strategy strategy;
  collectively(over, [&] {
    check(SCOTCH_contextBindDgraph(context.get(), plain.get(), bound.get()),
          "SCOTCH_contextBindDgraph");
    check(SCOTCH_stratDgraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                     over.size(), SCOTCH_archSize(onto.get()), imbalance),
          "SCOTCH_stratDgraphMapBuild");
    check(SCOTCH_dgraphMap(bound.get(), onto.get(), strategy.get(), parts.data()),
          "SCOTCH_dgraphMap");
  });
  return {parts.begin(), parts.end()};
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
