#include "growth.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scale_bench {
namespace {

using enum growth;

constexpr std::string_view none = "";
constexpr std::string_view neighbors_on_node =
    "who shares a node is found by a call in which all take part";
constexpr std::string_view plan =
    "rank 0 plans: it knows the place of every rank, and tells each its new one";
constexpr std::string_view positions = "the place of every rank is gathered";
constexpr std::string_view parts = "histograms of all parts of a level, from 4096 parts on";
constexpr std::string_view pieces =
    "a rank writes and reads a whole MiB, and each has its checksum of 4 bytes";
constexpr std::string_view counters = "a number for every rank";
constexpr std::string_view leaders = "the leader of a node knows the node of every rank";

/// The program's table of allowed growth: messages, bytes sent, bytes kept, peak,
/// peak of ranks but rank 0.
constexpr std::array allowances{
    allowance{"Runtime", logarithm, each, neighbors, neighbors, neighbors, neighbors_on_node},
    allowance{"message", neighbors, neighbors, neighbors, neighbors, neighbors, none},
    allowance{"16 messages", neighbors, neighbors, neighbors, neighbors, neighbors, none},
    allowance{"message of 32 KiB", neighbors, neighbors, neighbors, neighbors, neighbors, none},
    allowance{"communicator", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"communicator and node", logarithm, each, neighbors, neighbors, neighbors,
              neighbors_on_node},
    allowance{"graph", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"placement", logarithm, each, each, each, each, positions},
    allowance{"mapping of a grid", logarithm, each, neighbors, each, neighbors, plan},
    allowance{"mapping of a graph", logarithm, each, neighbors, each, neighbors, plan},
    allowance{"sparse automatic", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"sparse consensus", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"sparse counts", logarithm, each, each, each, each, counters},
    allowance{"sparse two_level", logarithm, each, each, each, each, leaders},
    allowance{"sparse cached", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"Grid<2>", logarithm, each, neighbors, each, neighbors, plan},
    allowance{"Grid<3>", logarithm, each, neighbors, each, neighbors, plan},
    allowance{"step of Life", neighbors, neighbors, neighbors, neighbors, neighbors, none},
    allowance{"field", logarithm, each, neighbors, each, each, neighbors_on_node},
    allowance{"halo", logarithm, each, neighbors, neighbors, neighbors, neighbors_on_node},
    allowance{"run of a halo", neighbors, neighbors, neighbors, neighbors, neighbors, none},
    allowance{"step of Jacobi", logarithm, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"save", logarithm, each, neighbors, each, each, pieces},
    allowance{"load", each, each, neighbors, each, each, pieces},
    allowance{"Mesh", cube_root, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"RIB", log_squared, each, neighbors, each, each, parts},
    allowance{"migration", cube_root, logarithm, neighbors, neighbors, neighbors, none},
    allowance{"halo of a mesh", logarithm, each, neighbors, neighbors, neighbors,
              neighbors_on_node},
    allowance{"step of mesh diffusion", neighbors, neighbors, neighbors, neighbors, neighbors,
              none},
};

/// A number of a row, and the part of it that is noise in a comparison.
struct quantity {
  std::int64_t row::*number;
  growth allowance::*allowed;
  trend verdict::*result;
  double noise;
};
constexpr double noise_of_messages = 8, noise_of_bytes = 2048;
constexpr std::array quantities{
    quantity{&row::messages, &allowance::messages, &verdict::messages, noise_of_messages},
    quantity{&row::bytes, &allowance::bytes, &verdict::bytes, noise_of_bytes},
    quantity{&row::kept, &allowance::kept, &verdict::kept, noise_of_bytes},
    quantity{&row::peak, &allowance::peak, &verdict::peak, noise_of_bytes},
    quantity{&row::others, &allowance::others, &verdict::others, noise_of_bytes}};

double size_of(growth allowed, double ranks) {
  double const depth = std::log2(ranks);
  switch (allowed) {
  case neighbors: return 1;
  case logarithm: return depth;
  case log_squared: return depth * depth;
  case cube_root: return std::cbrt(ranks);
  case each: return ranks;
  }
  return 1;
}

/// A value of the variable, and what an operation costs there.
struct point {
  double x;
  double value;
};

/// The exponent of the power of x that fits best.
double exponent_of(std::vector<point> const& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (point const& at : points)
    if (at.value > 0) {
      double const u = std::log(at.x), v = std::log(at.value);
      n += 1;
      x += u;
      y += v;
      xx += u * u;
      xy += u * v;
    }
  double const spread = n * xx - x * x;
  return spread > 0 ? (n * xy - x * y) / spread : 0;
}

/// The fit and what each further rank, cell or edge adds.
trend trend_of(std::vector<point> const& points) {
  trend found{.exponent = exponent_of(points)};
  if (points.size() > 1) {
    point const &last = points.back(), &before = points[points.size() - 2];
    found.slope = (last.value - before.value) / (last.x - before.x);
  }
  return found;
}

/// True if the last point is above the first one of many ranks by more than it may be.
bool is_too_fast(std::vector<point> const& points, growth allowed, double noise) {
  auto const first =
      std::ranges::find_if(points, [](point const& at) { return at.x >= least_judged; });
  if (first == points.end())
    return false;
  constexpr double tolerance = 1.5; // lists that grow by doubling may be half empty
  point const& last = points.back();
  double const factor = size_of(allowed, last.x) / size_of(allowed, first->x);
  return last.value > tolerance * factor * first->value + noise;
}

double x_of(row const& line, variable along) {
  switch (along) {
  case variable::ranks: return line.ranks;
  case variable::cells: return static_cast<double>(line.cells);
  case variable::edges: return line.edges;
  }
  return 0;
}

/// The values of a number in all tables that are fitted.
std::vector<point> points_of(row const& named, std::vector<table> const& tables, variable along,
                             std::int64_t row::*number) {
  std::vector<point> points;
  for (table const& rows : tables) {
    row const* const line = find(rows, named.operation, named.transport);
    if (line != nullptr && (along != variable::ranks || line->ranks >= least_fitted))
      points.push_back({x_of(*line, along), static_cast<double>(line->*number)});
  }
  return points;
}

verdict verdict_of(row const& named, std::vector<table> const& tables, variable along) {
  verdict made{.operation = named.operation, .transport = named.transport};
  allowance const& allowed = allowance_of(named.operation);
  for (quantity const& judged : quantities) {
    auto const points = points_of(named, tables, along, judged.number);
    trend found = trend_of(points);
    found.is_too_fast =
        along == variable::ranks && is_too_fast(points, allowed.*judged.allowed, judged.noise);
    made.*judged.result = found;
  }
  return made;
}

/// Refuses tables of other cells or edges where growth with ranks is judged.
void require_same_blocks(std::vector<table> const& tables) {
  row const& last = tables.back().front();
  for (table const& rows : tables)
    if (row const& other = rows.front();
        other.ranks >= least_fitted && (other.cells != last.cells || other.edges != last.edges))
      seam::refuse(fmt::format("scale: {} cells and {} edges on {} ranks (expected {} and {} as on "
                               "{} ranks)",
                               other.cells, other.edges, other.ranks, last.cells, last.edges,
                               last.ranks));
}

/// True if no two tables have the same value of a variable.
bool differ(std::vector<table> const& tables, variable along) {
  std::vector<double> values;
  for (table const& rows : tables)
    values.push_back(x_of(rows.front(), along));
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

std::string text_of(trend const& shown) {
  return fmt::format("{:>8.2f}{}", shown.exponent, shown.is_too_fast ? '!' : ' ');
}

} // namespace

std::string_view name_of(growth allowed) noexcept {
  switch (allowed) {
  case neighbors: return "O(1)";
  case logarithm: return "O(log P)";
  case log_squared: return "O(log^2 P)";
  case cube_root: return "O(P^1/3)";
  case each: return "O(P)";
  }
  return "";
}

allowance const& allowance_of(std::string_view operation) {
  auto const found = std::ranges::find(allowances, operation, &allowance::operation);
  if (found == allowances.end())
    seam::refuse(fmt::format("scale: '{}' (expected an operation of this program)", operation));
  return *found;
}

variable variable_of(std::vector<table> const& tables) {
  if (differ(tables, variable::ranks)) {
    require_same_blocks(tables);
    return variable::ranks;
  }
  for (variable const along : {variable::cells, variable::edges})
    if (differ(tables, along))
      return along;
  seam::refuse("scale: tables of the same ranks, cells and edges (expected that one differs)");
}

std::string words_of(allowance const& allowed) {
  return fmt::format("{} messages, {} bytes sent, {} kept, {} at most, {} on ranks but rank 0",
                     name_of(allowed.messages), name_of(allowed.bytes), name_of(allowed.kept),
                     name_of(allowed.peak), name_of(allowed.others));
}

std::vector<verdict> judge(std::vector<table> const& tables, variable along) {
  std::vector<verdict> all;
  for (row const& named : tables.back())
    all.push_back(verdict_of(named, tables, along));
  return all;
}

double kept_by_grid_program(std::vector<verdict> const& verdicts, std::string_view transport) {
  constexpr std::array<std::string_view, 3> objects{"Grid<3>", "field", "halo"};
  double sum = 0;
  for (verdict const& judged : verdicts)
    if (judged.operation == "Runtime" ||
        (judged.transport == transport && std::ranges::count(objects, judged.operation) > 0))
      sum += std::max(0.0, judged.kept.slope);
  return sum;
}

std::string text_of(std::vector<verdict> const& verdicts) {
  std::string text =
      fmt::format("{:<24}{:<10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>12}{:>12}\n", "operation", "transport",
                  "messages", "bytes", "kept", "peak", "others", "kept/each", "peak/each");
  for (verdict const& judged : verdicts)
    text += fmt::format("{:<24}{:<10}{}{}{}{}{}{:>12.1f}{:>12.1f}{}\n", judged.operation,
                        judged.transport, text_of(judged.messages), text_of(judged.bytes),
                        text_of(judged.kept), text_of(judged.peak), text_of(judged.others),
                        judged.kept.slope, judged.peak.slope,
                        judged.is_too_fast() ? "  grows too fast" : "");
  return text;
}

} // namespace scale_bench
