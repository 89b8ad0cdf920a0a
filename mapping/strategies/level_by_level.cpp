#include <seam/mapping/strategies/level_by_level.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace seam::detail {
namespace {

/// The coordinates of a rank in a grid in row-major order.
std::vector<int> point_of(stencil_grid const& grid, int rank) {
  std::vector<int> point(grid.extent.size());
  for (int k = std::ssize(point); k-- > 0; rank /= grid.extent[k])
    point[k] = rank % grid.extent[k];
  return point;
}

/// The box that some ranks form in a grid, as a grid of its own; nothing if they form none.
std::optional<stencil_grid> box_of(stencil_grid const& grid, std::span<int const> ranks) {
  std::vector<int> low(grid.extent.size(), std::numeric_limits<int>::max()),
      high(grid.extent.size(), 0);
  for (int const rank : ranks) {
    auto const point = point_of(grid, rank);
    for (int k = 0; k < std::ssize(point); ++k) {
      low[k] = std::min(low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
  stencil_grid box = grid;
  for (int k = 0; k < std::ssize(low); ++k) {
    box.extent[k] = high[k] - low[k] + 1;
    box.periodic[k] = grid.periodic[k] && box.extent[k] == grid.extent[k];
  }
  return box.num_points() == std::ssize(ranks) ? std::optional(std::move(box)) : std::nullopt;
}

class descent {
public:
  descent(machine const& cluster,
          std::function<std::optional<filling>(division_problem const&)> const& divide)
      : divide_(divide) {
    for (machine_level const& level : cluster.levels())
      if (&level == &cluster.nodes() || level.num_parts() < cluster.num_places())
        levels_.push_back(&level);
  }

  /// The ranks of `graph` in the order in which they fill the places from `first` on.
  std::optional<filling> fill(weighted_graph const& graph, stencil_grid const* grid, int level,
                              int first) {
    auto const sizes = sizes_within(level, first, graph.num_ranks());
    auto order = sizes.size() > 1 ? divide_({.graph = graph, .grid = grid, .sizes = sizes})
                                  : divide_blocked({.graph = graph, .sizes = sizes});
    if (!order || level + 1 == std::ssize(levels_))
      return order;
    auto begin = order->begin();
    for (int const size : sizes) {
      fill_part(graph, grid, level + 1, first, {begin, begin + size});
      begin += size;
      first += size;
    }
    return order;
  }

private:
  /// The sizes of the parts of a level among some places, which are whole parts of it.
  std::vector<int> sizes_within(int level, int first, int num_places) const {
    auto const& firsts = levels_[level]->parts2firsts;
    std::vector<int> sizes;
    for (auto at = std::ranges::lower_bound(firsts, first); *at < first + num_places; ++at)
      sizes.push_back(*(at + 1) - *at);
    return sizes;
  }

  /// Puts the ranks of one part into the order in which they fill its places.
  void fill_part(weighted_graph const& graph, stencil_grid const* grid, int level, int first,
                 std::span<int> ranks) {
    auto const box = grid != nullptr ? box_of(*grid, ranks) : std::nullopt;
    if (box)
      std::ranges::sort(ranks); // as the points of the box are numbered
    auto const order =
        box ? fill_box(*box, level, first) : fill(subgraph(graph, ranks), nullptr, level, first);
    if (!order)
      return;
    std::vector<int> const unordered(ranks.begin(), ranks.end());
    for (int i = 0; i < std::ssize(ranks); ++i)
      ranks[i] = unordered[(*order)[i]];
  }

  /// Boxes of the same extent for the same sizes are divided alike.
  std::optional<filling> const& fill_box(stencil_grid const& box, int level, int first) {
    int const num_places = static_cast<int>(box.num_points());
    std::vector<int> key = box.extent;
    for (int l = level; l < std::ssize(levels_); ++l) {
      auto const sizes = sizes_within(l, first, num_places);
      key.push_back(-l);
      key.insert(key.end(), sizes.begin(), sizes.end());
    }
    auto const [known, is_new] = boxes_.try_emplace(std::move(key));
    if (is_new)
      known->second = fill(graph_of(box), &box, level, first);
    return known->second;
  }

  std::function<std::optional<filling>(division_problem const&)> const& divide_;
  std::vector<machine_level const*> levels_; ///< the nodes, and levels with parts of several places
  std::map<std::vector<int>, std::optional<filling>> boxes_;
};

} // namespace

std::optional<filling> fill_level_by_level(
    weighted_graph const& graph, stencil_grid const* grid, machine const& cluster,
    std::function<std::optional<filling>(division_problem const&)> const& divide) {
  return descent(cluster, divide).fill(graph, grid, 0, 0);
}

} // namespace seam::detail
