// seam-map shows the machine that it runs on, and plans the placement of the processes of a grid on
// it, or on a machine that is only described.
//
// Sample runs:
//   mpiexec -n 8 --bind-to core seam-map
//   seam-map --machine "node:50 core:48" --grid 50x48 --neighborhood von-neumann
//
// Expected of the second: a table in which the best strategy has the sum 1204 and the worst
// node 28.
#include "options.hpp"

#include <seam/seam.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace map {
namespace {

/// A strategy's mapping, with the least time of some repetitions.
std::optional<seam::rank_mapping> fastest(seam::mapping_problem const& problem,
                                          std::string_view strategy, int repetitions) {
  auto best = seam::map_ranks(problem, strategy);
  for (int i = 1; best && i < repetitions; ++i)
    best->seconds = std::min(best->seconds, seam::map_ranks(problem, strategy)->seconds);
  return best;
}

struct line {
  std::string strategy;
  std::optional<seam::rank_mapping> found;
};

std::vector<line> compare(seam::mapping_problem const& problem, options const& wanted) {
  auto const all = seam::mapping_strategies();
  std::vector<std::string> strategies = wanted.strategies;
  if (strategies.empty())
    strategies.assign(all.begin(), all.end());
  std::vector<line> lines;
  for (auto const& strategy : strategies)
    lines.push_back({strategy, fastest(problem, strategy, wanted.repetitions)});
  return lines;
}

std::string heading(seam::mapping_cost const& levels) {
  std::string text = fmt::format("{:<28}", "strategy");
  for (auto const& [level, volume] : levels)
    text += fmt::format(" {:>14} {:>10}", level + " sum", "worst");
  return text + fmt::format(" {:>9} {:>8}\n", "ms", "faster");
}

/// A line of the table.
/// @param scotch  the time of Scotch; 0 if not known [s]
std::string text_of(line const& shown, double scotch) {
  if (!shown.found)
    return fmt::format("{:<28} does not fit\n", shown.strategy);
  auto const& [winner, places, before, after, seconds] = *shown.found;
  std::string text = fmt::format(
      "{:<28}", winner == shown.strategy ? winner : fmt::format("{} ({})", shown.strategy, winner));
  for (auto const& [level, volume] : after)
    text += fmt::format(" {:>14} {:>10}", volume.sum, volume.worst);
  text += fmt::format(" {:>9.3f}", 1e3 * seconds);
  return text + (scotch > 0 ? fmt::format(" {:>8.1f}\n", scotch / seconds) : "\n");
}

std::string table(seam::mapping_problem const& problem, options const& wanted) {
  auto const lines = compare(problem, wanted);
  auto const scotch = std::ranges::find(lines, "scotch", &line::strategy);
  double const seconds = scotch != lines.end() && scotch->found ? scotch->found->seconds : 0;
  std::string text = heading(seam::map_ranks(problem, "identity")->after);
  for (line const& shown : lines)
    text += text_of(shown, seconds);
  return text;
}

std::string plan(seam::machine const& cluster, options const& wanted) {
  auto const grid = grid_of(wanted, cluster.num_places());
  seam::mapping_problem const problem(grid,
                                      cluster.first_places(static_cast<int>(grid.num_points())));
  return fmt::format("machine {}\ngrid {}, {}, {} edges\n\n{}", seam::to_string(problem.cluster()),
                     fmt::join(grid.extent, "x"), wanted.neighborhood, problem.graph().num_edges(),
                     table(problem, wanted));
}

std::string shape(seam::machine const& cluster) {
  std::string text = fmt::format("machine {}\n", seam::to_string(cluster));
  for (auto const& level : cluster.levels())
    text += fmt::format("{:<8} {:>8}\n", level.name, level.num_parts());
  return text;
}

void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Find the machine, or read its description.
  std::optional<seam::placement> placed;
  if (wanted.machine.empty())
    placed = seam::gather_placement(runtime);
  auto const cluster = seam::collectively(runtime, [&] {
    return placed ? placed->tree : seam::parse_machine(wanted.machine);
  });

  // 2. Show it, or plan a grid on it: rank 0 alone, since all ranks have the same machine.
  std::string const text = seam::collectively(runtime, [&]() -> std::string {
    if (runtime.rank() != 0)
      return {};
    if (!wanted.grid.empty())
      return plan(cluster, wanted);
    return placed ? seam::describe(*placed) : shape(cluster);
  });
  seam::print(runtime, text);
}

} // namespace
} // namespace map

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, map::add_options, map::run);
}
