/// The model: times of programs on many ranks, from a table of this machine and a network.
///
///     step     T(P, n) = n c + (s + k d) L + b(n) / B,              b(n) ~ n^((D - 1) / D)
///     RIB      T(P, n) = l (n c + k d L) + (l + m) d b / B
///
/// n are the cells of a rank, c the time for one on this machine, s messages to other processes, k
/// collective calls and b bytes, at each level l of log2 P for RIB; d = ceil(log_a P) steps of a
/// tree; L latency, B bandwidth. m = 2 P / 4096 beyond 4096 parts, whose histograms have the fewest
/// bins. docs/scale.md explains it.
#pragma once

#include "options.hpp"
#include "table.hpp"

#include <string>
#include <vector>

namespace scale_bench {

/// The times of one program on many ranks.
struct prediction {
  std::string program;
  int ranks = 0;
  double weak_cells = 0, weak_seconds = 0;     ///< each rank has the cells of the table
  double strong_cells = 0, strong_seconds = 0; ///< 1,024 ranks have them
  double efficiency = 0; ///< weak: the time of one rank over this one, without messages
  double speed_up = 0;   ///< strong: the time of 1,024 ranks over this one
};

/// Predicts steps of Jacobi, Life and mesh diffusion, and RIB, on 1,024 to 1,048,576 ranks.
/// @param tables  by ascending numbers of ranks: the first with times gives c, the last the counts
/// @throws usage_error  no table has times
/// Local.
std::vector<prediction> predict(std::vector<table> const& tables, network const& over);

/// The predictions as text, one line for each.
std::string text_of(std::vector<prediction> const& all, network const& over);

} // namespace scale_bench
