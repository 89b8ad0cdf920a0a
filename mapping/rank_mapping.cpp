#include <seam/mapping/rank_mapping.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/strategies/division.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/level_by_level.hpp>
#include <seam/mapping/strategies/scotch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

/// New places for the ranks, and the strategy that proposes them.
struct proposal {
  std::string strategy;
  std::vector<int> ranks2places;
};
using proposer = std::optional<proposal> (*)(mapping_problem const&, std::string_view name);

std::vector<int> present_places(mapping_problem const& problem) {
  return {problem.ranks2places().begin(), problem.ranks2places().end()};
}

std::optional<proposal> keep_places(mapping_problem const& problem, std::string_view name) {
  return proposal{std::string(name), present_places(problem)};
}

template <division_strategy divide>
std::optional<proposal> by_levels(mapping_problem const& problem, std::string_view name) {
  auto const order =
      fill_level_by_level(problem.graph(), problem.grid(), problem.cluster(), divide);
  return order ? std::optional(proposal{std::string(name), inverse_permutation(*order)})
               : std::nullopt;
}

std::optional<proposal> by_scotch(mapping_problem const& problem, std::string_view name) {
  if (auto const order = divide_by_scotch_at_once(problem.graph(), problem.cluster()))
    return proposal{std::string(name), inverse_permutation(*order)};
  return by_levels<divide_by_scotch>(problem, name);
}

/// The node of each rank now. [num_ranks]
std::vector<int> present_nodes(mapping_problem const& problem) {
  auto const places2nodes = problem.cluster().nodes().places2parts();
  std::vector<int> nodes;
  for (int const place : problem.ranks2places())
    nodes.push_back(places2nodes[place]);
  return nodes;
}

/// Computes the costs of mappings of a problem, fast if the problem has a grid.
class cost_meter {
public:
  explicit cost_meter(mapping_problem const& problem) : problem_(problem) {
    if (problem.grid() != nullptr)
      edges_.emplace(*problem.grid());
  }

  cut_volume volume_on(machine_level const& level, std::span<int const> ranks2places) const {
    auto const places2parts = level.places2parts();
    std::vector<int> ranks2parts;
    ranks2parts.reserve(ranks2places.size());
    for (int const place : ranks2places)
      ranks2parts.push_back(places2parts[place]);
    return edges_ ? edges_->volume_between(ranks2parts)
                  : volume_between(problem_.graph(), ranks2parts);
  }

  /// Whether places are better than the present ones on the outermost level where the volumes
  /// differ: neither the sum nor the worst part is larger.
  bool is_better(std::span<int const> ranks2places) const {
    for (machine_level const& level : levels_with_costs(problem_.cluster())) {
      auto const found = volume_on(level, ranks2places),
                 present = volume_on(level, problem_.ranks2places());
      if (found != present)
        return found.sum <= present.sum && found.worst <= present.worst;
    }
    return false;
  }

  mapping_cost cost_of(std::span<int const> ranks2places) const {
    mapping_cost cost;
    for (machine_level const& level : levels_with_costs(problem_.cluster()))
      cost.push_back({level.name, volume_on(level, ranks2places)});
    return cost;
  }

private:
  mapping_problem const& problem_;
  std::optional<detail::grid_edges> edges_;
};

std::optional<proposal> by_best(mapping_problem const& problem, std::string_view) {
  std::string winner;
  auto const divide = [&](division_problem const& level) -> std::optional<filling> {
    if (!winner.empty())
      return divide_best(level);
    auto found = best_division(level, present_nodes(problem));
    winner = found.name;
    return std::move(found.order);
  };
  if (problem.cluster().nodes().num_parts() == 1)
    winner = "within the node";
  auto const order =
      fill_level_by_level(problem.graph(), problem.grid(), problem.cluster(), divide);
  auto places = inverse_permutation(*order);
  if (!cost_meter(problem).is_better(places))
    return keep_places(problem, "identity");
  return proposal{winner, std::move(places)};
}

struct entry {
  std::string_view name;
  proposer propose;
};
constexpr std::array<entry, 13> entries{{{"identity", keep_places},
                                         {"random", by_levels<divide_randomly>},
                                         {"blocked", by_levels<divide_blocked>},
                                         {"nodecart", by_levels<divide_in_equal_boxes>},
                                         {"hyperplane", by_levels<divide_by_hyperplanes>},
                                         {"k-d tree", by_levels<divide_by_kd_tree>},
                                         {"strips", by_levels<divide_in_strips>},
                                         {"best strips", by_levels<divide_in_best_strips>},
                                         {"guillotine", by_levels<divide_by_guillotine>},
                                         {"layers", by_levels<divide_in_layers>},
                                         {"lines", by_levels<divide_in_lines>},
                                         {"scotch", by_scotch},
                                         {"best", by_best}}};

constexpr auto names = [] {
  std::array<std::string_view, entries.size()> list;
  std::ranges::transform(entries, list.begin(), &entry::name);
  return list;
}();

} // namespace

mapping_problem::mapping_problem(stencil_grid grid, machine cluster, std::vector<int> ranks2places)
    : grid_(std::move(grid)),
      graph_(graph_of(*grid_)),
      cluster_(std::move(cluster)),
      ranks2places_(std::move(ranks2places)) {
  check();
}

mapping_problem::mapping_problem(weighted_graph graph, machine cluster,
                                 std::vector<int> ranks2places)
    : graph_(std::move(graph)),
      cluster_(std::move(cluster)),
      ranks2places_(std::move(ranks2places)) {
  check();
}

void mapping_problem::check() {
  if (graph_.num_ranks() != cluster_.num_places())
    refuse(fmt::format("mapping: {} ranks on {} places of '{}' (expected as many)",
                       graph_.num_ranks(), cluster_.num_places(), to_string(cluster_)));
  if (ranks2places_.empty()) {
    ranks2places_.resize(graph_.num_ranks());
    std::iota(ranks2places_.begin(), ranks2places_.end(), 0);
  }
  if (std::ssize(ranks2places_) != graph_.num_ranks())
    refuse(fmt::format("mapping: {} places given for {} ranks (expected as many)",
                       ranks2places_.size(), graph_.num_ranks()));
  static_cast<void>(inverse_permutation(ranks2places_));
}

std::span<std::string_view const> mapping_strategies() { return names; }

std::optional<rank_mapping> map_ranks(mapping_problem const& problem, std::string_view strategy) {
  auto const* const found = std::ranges::find(entries, strategy, &entry::name);
  if (found == entries.end())
    refuse(fmt::format("mapping: strategy '{}' (expected one of {})", strategy,
                       fmt::join(names, ", ")));
  auto const begin = std::chrono::steady_clock::now();
  auto proposed = found->propose(problem, found->name);
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
  if (!proposed)
    return std::nullopt;
  cost_meter const meter(problem);
  auto after = meter.cost_of(proposed->ranks2places);
  return rank_mapping{std::move(proposed->strategy), std::move(proposed->ranks2places),
                      meter.cost_of(problem.ranks2places()), std::move(after), elapsed.count()};
}

std::string to_string(mapping_cost const& cost) {
  std::string text;
  for (auto const& [level, volume] : cost)
    text += fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", level, volume.sum, volume.worst);
  return text;
}

} // namespace seam
