/// Quantiles of samples, and Tukey's fences, beyond which a sample's values are outliers.
#pragma once

#include <vector>

namespace guidelines {

/// The value that the fraction `part` of the values does not exceed, linear between neighbors.
/// @param values  [at least 1], in any order
/// @param part    0 to 1
/// Local.
/// Source: type 7 of R's quantile().
double quantile(std::vector<double> values, double part);

/// The quantile of one half. [at least 1 value]
/// Local.
double median(std::vector<double> values);

/// The values within [q1 - 1.5 (q3 - q1), q3 + 1.5 (q3 - q1)], with quartiles q1 and q3, in their
/// order; at least one if there is one.
/// Local.
/// Source: [Luebbe2017] sec. 3.2 (Tukey's fences).
std::vector<double> without_outliers(std::vector<double> const& values);

} // namespace guidelines
