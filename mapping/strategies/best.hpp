/// The best division, and the name of the strategy that found it.
#pragma once

#include <seam/mapping/strategies/division.hpp>

#include <string>

namespace seam {

/// A division with its strategy's name.
struct named_filling {
  std::string name;
  filling order;
};

/// The division of least volume, improved by swaps, among those that the strategies made for the
/// problem find and the present one.
///
/// @param present  [num_ranks], the part of each rank now, whose worst part bounds the result's;
///                 or empty
/// Local, deterministic.
named_filling best_division(division_problem const& problem, std::span<int const> present);

} // namespace seam
