#include "verification.hpp"

#include "operations.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scale_bench {
namespace {

/// The time of an operation by messages.
double seconds_of(table const& timed, char const* operation) {
  row const* const found = find(timed, operation, "messages");
  if (found == nullptr || found->seconds < 0)
    seam::refuse(fmt::format("scale: no time of '{}' by messages on {} ranks (expected one in a "
                             "table to verify)",
                             operation, timed.front().ranks));
  return found->seconds;
}

/// The tables of so many ranks and fewer, of which the last has as many.
std::vector<table> tables_until(std::vector<table> const& tables, int ranks) {
  std::vector<table> used;
  for (table const& rows : tables)
    if (rows.front().ranks <= ranks)
      used.push_back(rows);
  if (used.empty() || used.back().front().ranks != ranks)
    seam::refuse(fmt::format("scale: no table of {} ranks to verify another one (expected one)",
                             ranks));
  return used;
}

} // namespace

network network_of(table const& timed) {
  double const one = seconds_of(timed, a_message), many = seconds_of(timed, further_messages),
               longer = seconds_of(timed, a_long_message);
  return {.latency = one,
          .gap = std::max(0.0, (many - one) / num_further_messages),
          .bandwidth = static_cast<double>(length_of_long_message) / std::max(longer - one, 1e-12)};
}

std::vector<comparison> verify(std::vector<table> const& tables, std::vector<table> const& timed,
                               int cores) {
  std::vector<comparison> all;
  for (table const& measured : timed) {
    network const over = network_of(measured);
    auto const [ranks, cells] = std::pair(measured.front().ranks, measured.front().cells);
    double const share = cores == 0 ? 1 : std::max(1.0, static_cast<double>(ranks) / cores);
    for (step_cost cost : costs_of(tables_until(tables, ranks))) {
      cost.seconds_of_cell *= share;
      all.push_back({cost.of.operation, ranks, cells, over,
                     seconds_of(cost, over, ranks, static_cast<double>(cells)),
                     seconds_of(measured, cost.of.operation)});
    }
  }
  return all;
}

void require_near(std::vector<comparison> const& all, double tolerance) {
  for (comparison const& at : all)
    if (std::abs(at.ratio() - 1) > tolerance)
      seam::refuse(fmt::format("scale: {:.3e} s predicted for '{}' on {} ranks with {} cells each "
                               "(expected {:.3e} s, as measured, within {})",
                               at.predicted, at.program, at.ranks, at.cells, at.measured,
                               tolerance));
}

std::string text_of(std::vector<comparison> const& all) {
  std::string text =
      fmt::format("{:<24}{:>6}{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}{:>7}\n", "program", "ranks",
                  "cells", "latency", "gap", "bandwidth", "predicted", "measured", "ratio");
  for (comparison const& at : all)
    text += fmt::format("{:<24}{:>6}{:>10}{:>12.2e}{:>12.2e}{:>12.3e}{:>12.3e}{:>12.3e}{:>7.2f}\n",
                        at.program, at.ranks, at.cells, at.over.latency, at.over.gap,
                        at.over.bandwidth, at.predicted, at.measured, at.ratio());
  return text;
}

} // namespace scale_bench
