#include "model.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scale_bench {
namespace {

constexpr std::array programs{program{"step of Jacobi", 3, false},
                              program{"step of Life", 2, false},
                              program{"step of mesh diffusion", 3, false}, program{"RIB", 3, true}};
constexpr int fewest_ranks = 1 << 10, most_ranks = 1 << 20;

double levels_of(double ranks) { return std::ceil(std::log2(ranks)); }

/// The first row of an operation that has a time, on at least `ranks`.
row const& timed_row(std::vector<table> const& tables, char const* operation, int ranks) {
  for (table const& rows : tables)
    if (row const* const found = find(rows, operation, "messages");
        found != nullptr && found->ranks >= ranks && found->seconds >= 0)
      return *found;
  seam::refuse(fmt::format("scale: no time of '{}' by messages (expected a table of {} ranks or "
                           "more, each with a core)",
                           operation, ranks));
}

/// The row of an operation whose messages are counted.
row const& counted_row(table const& rows, char const* operation) {
  row const* const found = find(rows, operation, "messages");
  if (found == nullptr)
    seam::refuse(fmt::format("scale: no row of '{}' by messages on {} ranks (expected one)",
                             operation, rows.front().ranks));
  return *found;
}

/// What a bisection sends at a level behind those that are counted: the difference of the last two
/// tables, or where there is one, the mean of its levels.
double bytes_of_level(std::vector<table> const& tables, step_cost const& cost) {
  if (tables.size() > 1)
    if (row const* const before = find(*std::prev(tables.end(), 2), cost.of.operation, "messages");
        before != nullptr && before->bytes > 0 && levels_of(before->ranks) < cost.levels)
      return (cost.bytes - static_cast<double>(before->bytes)) /
             (cost.levels - levels_of(before->ranks));
  return cost.bytes / cost.levels;
}

step_cost cost_of(std::vector<table> const& tables, program const& of) {
  row const& timed = timed_row(tables, of.operation, of.is_bisection ? 2 : 1);
  row const& counted = counted_row(tables.back(), of.operation);
  double const levels = of.is_bisection ? levels_of(timed.ranks) : 1;
  step_cost cost{.of = of,
                 .seconds_of_cell = timed.seconds / levels / static_cast<double>(timed.cells),
                 .block = static_cast<double>(timed.cells),
                 .cells = static_cast<double>(counted.cells),
                 .sends = static_cast<double>(counted.sends),
                 .bytes = static_cast<double>(counted.bytes),
                 .calls = static_cast<double>(counted.collectives),
                 .levels = std::max(1.0, levels_of(counted.ranks))};
  if (of.is_bisection) {
    cost.calls /= cost.levels;
    cost.bytes_of_level = bytes_of_level(tables, cost);
  }
  return cost;
}

double depth_of(network const& over, double ranks) {
  return std::ceil(std::log2(ranks) / std::log2(over.arity) - 1e-9);
}

/// The share of a block's cells that reads no ghosts one layer wide.
double inner_share(double cells, int dimensions) {
  double const edge = std::pow(cells, 1.0 / dimensions);
  return std::pow(std::max(0.0, 1 - 2 / edge), dimensions);
}

/// The time of a step on `ranks` with `cells` each: inner cells are computed while messages are under
/// way. [s]
double seconds_of_step(step_cost const& cost, network const& over, double ranks, double cells) {
  double const surface = std::pow(cells / cost.cells, 1 - 1.0 / cost.of.dimensions);
  double const messages = cost.sends > 0 ? over.latency + (cost.sends - 1) * over.gap +
                                               cost.bytes * surface / over.bandwidth
                                         : 0;
  double const computing = cells * cost.seconds_of_cell;
  double const inner = computing * inner_share(cells, cost.of.dimensions);
  return computing - inner + std::max(inner, messages) +
         cost.calls * depth_of(over, ranks) * over.latency;
}

/// The time of a bisection into as many parts as ranks. [s]
double seconds_of_bisection(step_cost const& cost, network const& over, double ranks,
                            double cells) {
  constexpr double parts_with_fewest_bins = 4096;
  double const levels = levels_of(ranks), depth = depth_of(over, ranks);
  double const long_levels =
      ranks > parts_with_fewest_bins ? 2 * ranks / parts_with_fewest_bins : 0;
  double const bytes = cost.bytes + (levels - cost.levels + long_levels) * cost.bytes_of_level;
  return levels * (cells * cost.seconds_of_cell + cost.calls * depth * over.latency) +
         bytes / over.bandwidth;
}

} // namespace

double seconds_of(step_cost const& cost, network const& over, double ranks, double cells) {
  return cost.of.is_bisection ? seconds_of_bisection(cost, over, ranks, cells)
                              : seconds_of_step(cost, over, ranks, cells);
}

std::vector<step_cost> costs_of(std::vector<table> const& tables) {
  std::vector<step_cost> all;
  for (program const& wanted : programs)
    all.push_back(cost_of(tables, wanted));
  return all;
}

namespace {

prediction predict(step_cost const& cost, network const& over, int ranks) {
  double const share = cost.block * fewest_ranks / ranks;
  double const levels = cost.of.is_bisection ? levels_of(ranks) : 1;
  prediction made{.program = cost.of.operation,
                  .ranks = ranks,
                  .weak_cells = cost.block,
                  .weak_seconds = seconds_of(cost, over, ranks, cost.block),
                  .strong_cells = share,
                  .strong_seconds = seconds_of(cost, over, ranks, share)};
  made.efficiency = levels * cost.block * cost.seconds_of_cell / made.weak_seconds;
  made.speed_up = seconds_of(cost, over, fewest_ranks, cost.block) / made.strong_seconds;
  return made;
}

} // namespace

std::vector<prediction> predict(std::vector<table> const& tables, network const& over) {
  std::vector<prediction> all;
  for (step_cost const& cost : costs_of(tables)) {
    for (int ranks = fewest_ranks; ranks <= most_ranks; ranks *= 4)
      all.push_back(predict(cost, over, ranks));
  }
  return all;
}

std::string text_of(std::vector<prediction> const& all, network const& over) {
  std::string text = fmt::format(
      "latency {} s, gap {} s, bandwidth {} bytes/s, trees of arity {}\n{:<24}{:>9}{:>12}{:>12}"
      "{:>12}{:>12}{:>12}{:>10}\n",
      over.latency, over.gap, over.bandwidth, over.arity, "program", "ranks", "cells", "weak",
      "efficiency", "cells", "strong", "speed-up");
  for (prediction const& line : all)
    text += fmt::format("{:<24}{:>9}{:>12.0f}{:>12.3e}{:>12.2f}{:>12.1f}{:>12.3e}{:>10.1f}\n",
                        line.program, line.ranks, line.weak_cells, line.weak_seconds,
                        line.efficiency, line.strong_cells, line.strong_seconds, line.speed_up);
  return text;
}

} // namespace scale_bench
