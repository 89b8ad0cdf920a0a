#include "statistics/quantile.hpp"

#include <algorithm>
#include <cmath>

namespace guidelines {

double quantile(std::vector<double> values, double part) {
  double const place = part * static_cast<double>(values.size() - 1), below = std::floor(place);
  auto const at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::ranges::nth_element(values, at);
  if (place == below)
    return *at;
  return *at + (place - below) * (*std::min_element(at + 1, values.end()) - *at);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<double> without_outliers(std::vector<double> const& values) {
  if (values.empty())
    return {};
  double const q1 = quantile(values, 0.25), q3 = quantile(values, 0.75);
  double const reach = 1.5 * (q3 - q1);
  std::vector<double> kept;
  std::ranges::copy_if(values, std::back_inserter(kept),
                       [&](double value) { return value >= q1 - reach && value <= q3 + reach; });
  return kept;
}

} // namespace guidelines
