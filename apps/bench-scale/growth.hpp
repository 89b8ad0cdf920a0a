/// Growth: how the cost of each operation may grow with the number of ranks, and how it does; and
/// how it grows with the cells or the edges of a rank.
#pragma once

#include "table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scale_bench {

/// How a number may grow with P ranks.
enum class growth {
  neighbors,   ///< O(1): with the neighbors of a rank, whose number is bounded
  logarithm,   ///< O(log P)
  log_squared, ///< O(log^2 P)
  cube_root,   ///< O(P^1/3)
  each         ///< O(P)
};

/// "O(log P)"
std::string_view name_of(growth allowed) noexcept;

/// What one operation may cost a rank.
struct allowance {
  std::string_view operation;
  growth messages;
  growth bytes; ///< sent
  growth kept;
  growth peak;
  growth others;           ///< peak of ranks other than rank 0
  std::string_view reason; ///< what is O(P), for readers of the table
};

/// The allowance of an operation.
/// @throws usage_error  the program has no such operation
/// Local.
allowance const& allowance_of(std::string_view operation);

/// What tables differ in.
enum class variable { ranks, cells, edges };

/// The variable in which tables differ: ranks, if these differ; cells, if these do; else edges.
/// @throws usage_error  two tables are equal in all of them, or two of at least least_fitted ranks
///         that are compared by ranks differ in cells or edges
/// Local.
variable variable_of(std::vector<table> const& tables);

/// "O(log P) messages, O(1) bytes sent, O(1) kept, O(1) at most, O(1) on ranks but rank 0"
std::string words_of(allowance const& allowed);

/// The growth of one number of an operation with a variable x.
struct trend {
  double exponent = 0; ///< p of the fit a x^p over tables of least_fitted ranks and more
  double slope = 0;    ///< of the last two tables: what each further rank, cell or edge adds
  bool is_too_fast = false;
};

/// The growth of an operation by one transport.
struct verdict {
  std::string operation, transport;
  trend messages{}, bytes{}, kept{}, peak{}, others{};

  bool is_too_fast() const noexcept {
    return messages.is_too_fast || bytes.is_too_fast || kept.is_too_fast || peak.is_too_fast ||
           others.is_too_fast;
  }
};

/// Compares tables with each other, and with the allowances if they differ in ranks. Two tables of
/// least_judged ranks and more decide; with fewer no row is too fast.
/// @param tables  by ascending values of `along`
/// Local.
std::vector<verdict> judge(std::vector<table> const& tables, variable along);

/// With fewer ranks the fit is not of many, and blocks have other numbers of neighbors.
inline constexpr int least_fitted = 4;

/// With fewer ranks all blocks lie at borders, and ranks have fewer neighbors than in large runs.
inline constexpr int least_judged = 64;

/// The bytes that a program with a Runtime, a grid, a field and a halo keeps for each further rank.
double kept_by_grid_program(std::vector<verdict> const& verdicts, std::string_view transport);

/// The verdicts as text, with a mark at each row that grows too fast.
std::string text_of(std::vector<verdict> const& verdicts);

} // namespace scale_bench
