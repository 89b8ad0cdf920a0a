#include <seam/mapping/detail/weighted_graph.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace seam {
using namespace detail;

namespace {

constexpr int nowhere = -1;

void check(stencil_grid const& grid) {
  if (grid.periodic.size() != grid.extent.size() ||
      grid.offsets.num_dimensions() != grid.num_dimensions())
    refuse(fmt::format("grid: {} extents, {} periodicities and offsets of {} numbers (expected the "
                       "same number of each)",
                       grid.extent.size(), grid.periodic.size(), grid.offsets.num_dimensions()));
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  std::int64_t edges = std::max<std::int64_t>(1, std::ssize(grid.offsets.weights()));
  for (int const n : grid.extent) {
    if (n < 1)
      refuse(fmt::format("grid: extents {} (expected at least 1)", fmt::join(grid.extent, "x")));
    if (edges > most / n)
      refuse(fmt::format("grid: {} points with {} offsets (expected fewer than 2^31 edges)",
                         fmt::join(grid.extent, "x"), grid.offsets.size()));
    edges *= n;
  }
}

/// For each coordinate x along a dimension, the share of that dimension in the rank of the point at
/// x + s; nowhere if x + s lies beyond a border.
class steps {
public:
  steps(stencil_grid const& grid, int dimension, int s, int stride) {
    int const n = grid.extent[dimension];
    for (int x = 0; x < n; ++x) {
      std::int64_t const beyond = std::int64_t{x} + s;
      auto const inside = static_cast<int>((beyond % n + n) % n);
      bool const leads_nowhere = inside != beyond && !grid.periodic[dimension];
      to_.push_back(leads_nowhere ? nowhere : inside * stride);
    }
  }
  int operator[](int x) const { return to_[x]; }

private:
  std::vector<int> to_;
};

/// Finds the rank that an offset leads to from a point.
class stencil_edges {
public:
  explicit stencil_edges(stencil_grid const& grid) : grid_(grid) {
    int stride = static_cast<int>(grid.num_points());
    for (int k = 0; k < grid.num_dimensions(); ++k) {
      stride /= grid.extent[k];
      for (int i = 0; i < grid.offsets.size(); ++i)
        steps_.emplace_back(grid, k, grid.offsets[i][k], stride);
    }
  }

  /// The rank that offset i leads to from a point, or nowhere.
  int target(std::vector<int> const& point, int i) const {
    int rank = 0;
    for (int k = 0; k < std::ssize(point); ++k) {
      int const step = steps_[k * grid_.offsets.size() + i][point[k]];
      if (step == nowhere)
        return nowhere;
      rank += step;
    }
    return rank;
  }

private:
  stencil_grid const& grid_;
  std::vector<steps> steps_; ///< [num_dimensions][num_offsets]
};

/// Goes on to the next point in row-major order.
void advance(std::vector<int>& point, std::vector<int> const& extent) {
  for (int k = std::ssize(point); k-- > 0;) {
    if (++point[k] < extent[k])
      return;
    point[k] = 0;
  }
}

/// One end of an edge that is kept at the other.
struct half_edge {
  int to;
  std::int64_t weight;
};

/// Calls visit(from, to, weight) for each edge with a weight that leads to another rank.
template <class Visit>
void for_each_edge_between(weighted_graph const& graph, Visit const& visit) {
  for (int u = 0; u < graph.num_ranks(); ++u)
    for (int e = graph.ranks2edges[u]; e < graph.ranks2edges[u + 1]; ++e)
      if (int const v = graph.edges2ranks[e]; v != u && graph.edges2weights[e] != 0)
        visit(u, v, graph.edges2weights[e]);
}

/// Appends a rank with its edges, of which those to the same rank become one.
void append_merged(weighted_graph& graph, std::span<half_edge> edges) {
  std::ranges::sort(edges, {}, &half_edge::to);
  int const first = graph.num_edges();
  for (auto const& [to, weight] : edges)
    if (graph.num_edges() > first && graph.edges2ranks.back() == to) {
      graph.edges2weights.back() += weight;
    } else {
      graph.edges2ranks.push_back(to);
      graph.edges2weights.push_back(weight);
    }
  graph.ranks2edges.push_back(graph.num_edges());
}

} // namespace

std::int64_t stencil_grid::num_points() const noexcept {
  std::int64_t points = 1;
  for (int const n : extent)
    points *= n;
  return points;
}

bool stencil_grid::is_symmetric() const {
  auto const sorted = [](offset_list const& list) {
    std::vector<std::pair<std::vector<int>, int>> entries;
    for (int i = 0; i < std::ssize(list); ++i)
      entries.emplace_back(std::vector(list[i].begin(), list[i].end()), list.weight(i));
    std::ranges::sort(entries);
    return entries;
  };
  return sorted(offsets) == sorted(offsets.inverse());
}

weighted_graph graph_of(stencil_grid const& grid) {
  check(grid);
  stencil_edges const edges(grid);
  weighted_graph graph;
  auto const num_points = grid.num_points();
  graph.ranks2edges.reserve(num_points + 1);
  graph.edges2ranks.reserve(num_points * grid.offsets.size());
  graph.edges2weights.reserve(num_points * grid.offsets.size());
  std::vector<int> point(grid.extent.size(), 0);
  for (std::int64_t rank = 0; rank < num_points; ++rank, advance(point, grid.extent)) {
    for (int i = 0; i < grid.offsets.size(); ++i)
      if (int const to = edges.target(point, i); to != nowhere) {
        graph.edges2ranks.push_back(to);
        graph.edges2weights.push_back(grid.offsets.weight(i));
      }
    graph.ranks2edges.push_back(graph.num_edges());
  }
  return graph;
}

weighted_graph subgraph(weighted_graph const& graph, std::span<int const> ranks) {
  std::vector<int> ranks2parts(graph.num_ranks(), nowhere);
  for (int i = 0; i < std::ssize(ranks); ++i)
    ranks2parts[ranks[i]] = i;
  weighted_graph part;
  for (int const rank : ranks) {
    for (int e = graph.ranks2edges[rank]; e < graph.ranks2edges[rank + 1]; ++e)
      if (int const to = ranks2parts[graph.edges2ranks[e]]; to != nowhere) {
        part.edges2ranks.push_back(to);
        part.edges2weights.push_back(graph.edges2weights[e]);
      }
    part.ranks2edges.push_back(part.num_edges());
  }
  return part;
}

weighted_graph symmetrized(weighted_graph const& graph) {
  std::vector<int> firsts(graph.num_ranks() + 1, 0);
  for_each_edge_between(graph,
                        [&](int u, int v, std::int64_t) { ++firsts[u + 1], ++firsts[v + 1]; });
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  std::vector<half_edge> halves(firsts.back());
  auto next = firsts;
  for_each_edge_between(graph, [&](int u, int v, std::int64_t weight) {
    halves[next[u]++] = {v, weight};
    halves[next[v]++] = {u, weight};
  });
  weighted_graph both;
  for (int u = 0; u < graph.num_ranks(); ++u)
    append_merged(both, std::span(halves).subspan(firsts[u], firsts[u + 1] - firsts[u]));
  return both;
}

} // namespace seam
