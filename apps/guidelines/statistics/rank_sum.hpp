/// The rank-sum test of Wilcoxon, also known as that of Mann and Whitney, to one side.
#pragma once

#include <vector>

namespace guidelines {

/// The way in which the probability of a rank sum is found.
enum class rank_sum_method {
  automatic, ///< exact for samples of fewer than 50 values without ties, else normal
  exact,     ///< the share of all divisions of the values into two samples; no ties
  normal     ///< the normal distribution, corrected for ties and continuity
};

/// Tests whether the values of `a` are shifted to the right of those of `b`.
///
/// @param a, b  [at least 1]
/// @return      p: the probability of a rank sum of `a` at least as large as the one found, if both
///              samples have the same distribution
/// Local.
/// Threads: any.
/// Cost: exact tests of 50 values in milliseconds, the first time for two lengths.
/// Source: [Luebbe2017] sec. 3.2; R's wilcox.test(a, b, alternative = "greater").
double rank_sum_p(std::vector<double> const& a, std::vector<double> const& b,
                  rank_sum_method how = rank_sum_method::automatic);

/// The least p that samples of these lengths without ties can have.
/// Local.
double least_p(int num_a, int num_b);

} // namespace guidelines
