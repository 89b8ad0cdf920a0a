/// Verification: the model's times beside those of tables that were measured on another network.
///
/// Costs of cells and counts come from tables of other runs; the network from the measured table's own
/// rows of messages; the times of its programs are used for nothing but the comparison.
#pragma once

#include "model.hpp"

#include <string>
#include <vector>

namespace scale_bench {

/// The network that a table's rows of messages show: latency, gap and bandwidth.
/// @throws usage_error  it has no times of these
/// Local.
network network_of(table const& timed);

/// A program's time on the ranks and cells of a table.
struct comparison {
  std::string program;
  int ranks = 0;
  std::int64_t cells = 0;
  network over{};
  double predicted = 0, measured = 0; ///< [s]

  double ratio() const noexcept { return predicted / measured; }
};

/// Predicts the times of `timed` from `tables`, with the counts of the one with as many ranks.
/// @param cores  that all ranks share; 0: each rank has its own
/// @throws usage_error  there is no such table, or a row is missing
/// Local.
std::vector<comparison> verify(std::vector<table> const& tables, std::vector<table> const& timed,
                               int cores);

/// @throws usage_error  a prediction differs from what was measured by more than the tolerance
/// Local.
void require_near(std::vector<comparison> const& all, double tolerance);

/// The comparisons as text, one line for each.
std::string text_of(std::vector<comparison> const& all);

} // namespace scale_bench
