#include "options.hpp"

#include "offsets_within.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace map {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 8 --bind-to core seam-map
  seam-map --machine "node:50 core:48" --grid 50x48
  seam-map --machine "node:4 package:2 core:12" --grid 12x8 --neighborhood moore --periodic 1,0
  seam-map --machine "node:3 core:4,4,8" --grid 4x4 --block 100x20 --strategy best

A machine is a list of levels: node, package, numa, l3 and core. Each has the number of its parts
within each part of the level before, or a list with one number for each of these: core:48*100,28.

The columns: sum is the volume between the parts of a level, and worst the volume of the part that
sends or receives most, in edges, or in cells with --block; ms is the time of the fastest
repetition, and faster is Scotch's time over it.)";

/// Parses the numbers between the marks, at least `least` each.
std::vector<int> numbers_in(std::string_view text, char mark, int least) {
  std::vector<int> numbers;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(mark, begin), text.size());
    auto const number = seam::decimal<int>(text.substr(begin, end - begin));
    if (!number || *number < least)
      seam::refuse(fmt::format("'{}' (expected numbers from {} on with '{}' between them)", text,
                               least, mark));
    numbers.push_back(*number);
  }
  return numbers;
}

seam::option add_numbers(seam::option_list cli, char const* option, std::vector<int>& numbers,
                         char mark, int least, char const* help) {
  seam::option added = cli.add(
      option,
      [&numbers, mark, least](std::string const& text) { numbers = numbers_in(text, mark, least); },
      help);
  return added.named(fmt::format("N{}N{}...", mark, mark));
}

/// The offsets of length 1 along the first `axes` dimensions, and of lengths `further` along the
/// first.
seam::neighborhood along_axes(int num_dimensions, int axes, std::vector<int> const& further) {
  std::vector<std::vector<int>> list;
  auto const add = [&](int k, int s) {
    list.emplace_back(num_dimensions, 0);
    list.back()[k] = s;
  };
  for (int k = 0; k < axes; ++k)
    for (int const s : {-1, 1})
      add(k, s);
  for (int const s : further)
    add(0, s);
  return seam::offsets(list);
}

seam::neighborhood named_neighborhood(std::string const& text, int num_dimensions) {
  auto const colon = text.find(':');
  std::string const name = text.substr(0, colon);
  int const depth = colon == text.npos
                        ? 1
                        : seam::decimal<int>(std::string_view(text).substr(colon + 1)).value_or(0);
  if (depth > 0 && name == "von-neumann")
    return seam::von_neumann(depth);
  if (depth > 0 && name == "moore")
    return seam::moore(depth);
  if (text == "hops")
    return along_axes(num_dimensions, num_dimensions, {-3, -2, 2, 3});
  if (text == "component")
    return along_axes(num_dimensions, num_dimensions - 1, {});
  seam::refuse(fmt::format("--neighborhood '{}' (expected von-neumann, moore, either with a depth "
                           "such as moore:2, hops or component)",
                           text));
}

/// The cells of a block's side, edge or corner that touch the neighbor at `offset`.
int cells_towards(std::span<int const> offset, std::vector<int> const& block) {
  int cells = 1;
  for (int k = 0; k < std::ssize(block); ++k) {
    int const along = offset[k] == 0 ? block[k] : 1;
    if (cells > std::numeric_limits<int>::max() / along)
      seam::refuse(fmt::format("--block {} (expected sides of fewer than 2^31 cells)",
                               fmt::join(block, "x")));
    cells *= along;
  }
  return cells;
}

/// Checks that there are places enough for the processes, and returns their number.
std::int64_t check_places(options const& wanted, std::int64_t num_places) {
  std::int64_t points = 1;
  for (int const extent : wanted.grid) {
    points *= extent;
    if (points > num_places)
      seam::refuse(fmt::format("--grid {}: more processes than the {} places of the machine "
                               "(expected at most as many)",
                               fmt::join(wanted.grid, "x"), num_places));
  }
  return points;
}

/// Checks that a graph of all edges takes a few gigabytes at most.
void check_edges(options const& wanted, std::int64_t points, std::int64_t num_offsets) {
  constexpr std::int64_t most_edges = 1 << 26;
  if (points > most_edges / std::max<std::int64_t>(1, num_offsets))
    seam::refuse(fmt::format("--neighborhood '{}': {} offsets from {} processes (expected at most "
                             "{} edges)",
                             wanted.neighborhood, num_offsets, points, most_edges));
}

void check_length(std::vector<int> const& list, char const* option, int num_dimensions) {
  if (!list.empty() && std::ssize(list) != num_dimensions)
    seam::refuse(fmt::format("{} has {} numbers for a grid of {} dimensions", option, list.size(),
                             num_dimensions));
}

} // namespace

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Shows the machine, and plans which process of a grid should sit where on it.");
  cli.add("--machine", wanted.machine, "machine to plan for; default: this machine").named("TEXT");
  add_numbers(cli, "--grid", wanted.grid, 'x', 1, "processes along each dimension");
  cli.add("--neighborhood", wanted.neighborhood,
          "von-neumann or moore, either with :DEPTH, hops or component")
      .named("NAME")
      .needs("--grid");
  add_numbers(cli, "--periodic", wanted.periodic, ',', 0,
              "for each dimension: 1 if it is periodic, else 0")
      .needs("--grid");
  add_numbers(cli, "--block", wanted.block, 'x', 1, "cells of a process's block, to weight edges")
      .needs("--grid");
  auto const names = seam::mapping_strategies();
  cli.add("--strategy", wanted.strategies, "strategies to compare; default: all")
      .one_of({names.begin(), names.end()})
      .needs("--grid");
  cli.add("--repetitions", wanted.repetitions, "of each strategy; the fastest counts")
      .between(1, std::numeric_limits<int>::max(), "COUNT")
      .needs("--grid");
  cli.end_help(examples);
}

seam::stencil_grid grid_of(options const& wanted, std::int64_t num_places) {
  int const d = static_cast<int>(wanted.grid.size());
  check_length(wanted.periodic, "--periodic", d);
  check_length(wanted.block, "--block", d);
  std::vector<bool> periodic(d, false);
  for (int k = 0; k < std::ssize(wanted.periodic); ++k)
    periodic[k] = wanted.periodic[k] != 0;
  std::int64_t const points = check_places(wanted, num_places);
  auto offsets = offsets_within({.extent = wanted.grid,
                                 .periodic = periodic,
                                 .offsets = named_neighborhood(wanted.neighborhood, d).expand(d)},
                                [&](std::span<int const> offset) {
                                  return cells_towards(offset, wanted.block);
                                });
  check_edges(wanted, points, std::ssize(offsets.weights()));
  return {wanted.grid, std::move(periodic), std::move(offsets)};
}

} // namespace map
