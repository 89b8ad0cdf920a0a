/// The best division, and the name of the strategy that found it.
#pragma once

#include <seam/mapping/strategies/division.hpp>

#include <string>

namespace seam::detail {

/// A division with its strategy's name.
struct named_filling {
  std::string name;
  filling order;
};

/// The division of least volume among the present one and the results of the strategies for the
/// problem, improved by swaps.
///
/// @param present  [num_ranks], the part of each rank now; the result's worst part is no worse than
///                 the worst part of `present`; or empty
/// Local, deterministic.
named_filling best_division(division_problem const& problem, std::span<int const> present);

} // namespace seam::detail
