/// The model: times of programs on many ranks, from a table of this machine and a network.
///
///     step     T(P, n) = (1 - f) n c + max(f n c, L + (s - 1) g + b(n) / B) + k d L
///     RIB      T(P, n) = l (n c + k d L) + (b0 + (l - l0 + m) b) / B
///
/// b(n) ~ n^((D - 1) / D), f = (1 - 2 / n^(1/D))^D.
///
/// n are the cells of a rank, of which f read no ghosts, c the time for one on this machine, s messages
/// to other processes, k collective calls and b bytes, at each level l of log2 P for RIB, whose l0
/// counted levels have b0 together; d = ceil(log_a P) steps of a tree; L latency, g gap, B bandwidth.
/// m = 2 P / 4096 beyond 4096 parts, whose histograms have the fewest bins. docs/scale.md explains it.
#pragma once

#include "options.hpp"
#include "table.hpp"

#include <string>
#include <vector>

namespace scale_bench {

/// A program whose step is predicted.
struct program {
  char const* operation;
  int dimensions;
  bool is_bisection; ///< repeated at each of log2 P levels
};

/// What a step costs a rank.
struct step_cost {
  program of{};
  double seconds_of_cell = 0;
  double block = 0; ///< cells of a rank in predictions
  double cells = 0; ///< of a rank for which the counts are
  double sends = 0;
  double bytes = 0;
  double calls = 0;          ///< of a bisection: at one level
  double levels = 0;         ///< of a bisection, for which the bytes are
  double bytes_of_level = 0; ///< of a bisection: of each further level
};

/// The costs of all programs that are predicted: times of a cell from the first table with times, counts
/// from the table with most ranks.
/// @throws usage_error  a row is missing
/// Local.
std::vector<step_cost> costs_of(std::vector<table> const& tables);

/// The time of a step on `ranks` with `cells` each. [s]
double seconds_of(step_cost const& cost, network const& over, double ranks, double cells);

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
