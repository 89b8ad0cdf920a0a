#include "statistics/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

namespace guidelines {
namespace {

constexpr int exact_below = 50; ///< values in each sample

/// The ranks of all values together, counted from 1; equal values share the mean of their ranks.
struct joint_ranks {
  double sum_of_a = 0;
  double ties = 0; ///< the sum of t^3 - t over groups of t equal values
};

joint_ranks ranks_of(std::vector<double> const& a, std::vector<double> const& b) {
  std::vector<double> sorted = a;
  sorted.insert(sorted.end(), b.begin(), b.end());
  std::ranges::sort(sorted);
  joint_ranks found;
  for (double value : a) {
    auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    found.sum_of_a +=
        static_cast<double>((first - sorted.begin()) + (last - sorted.begin()) + 1) / 2;
  }
  for (auto at = sorted.begin(); at != sorted.end();) {
    auto const next = std::upper_bound(at, sorted.end(), *at);
    auto const equal = static_cast<double>(next - at);
    found.ties += equal * equal * equal - equal;
    at = next;
  }
  return found;
}

/// counts[u]: the number of ways to choose `num_a` of all ranks whose sum exceeds the least by u.
/// Each step adds the next rank to the choices of one value less.
std::vector<double> count_sums(int num_a, int num_b) {
  std::vector<std::vector<double>> chosen(num_a + 1, std::vector<double>(num_a * num_b + 1));
  chosen[0][0] = 1;
  for (int rank = 1; rank <= num_a + num_b; ++rank)
    for (int k = std::min(rank, num_a); k >= 1; --k) {
      int const excess = rank - k; // beyond the least sum of k ranks
      for (int u = excess; u <= num_a * num_b; ++u)
        chosen[k][u] += chosen[k - 1][u - excess];
    }
  return chosen[num_a];
}

std::vector<double> const& counts_of_sums(int num_a, int num_b) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<int, int>, std::vector<double>> known;
  std::scoped_lock const locked(one_at_a_time);
  auto const [place, is_new] = known.try_emplace({num_a, num_b});
  if (is_new)
    place->second = count_sums(num_a, num_b);
  return place->second;
}

/// @param u  the rank sum of `a` beyond the least one
double exact_p(double u, int num_a, int num_b) {
  auto const& counts = counts_of_sums(num_a, num_b);
  auto const first = counts.begin() + static_cast<std::ptrdiff_t>(std::ceil(u));
  double const all = std::accumulate(counts.begin(), counts.end(), 0.0);
  return std::accumulate(std::make_reverse_iterator(counts.end()),
                         std::make_reverse_iterator(first), 0.0) /
         all;
}

double normal_p(double u, double ties, double num_a, double num_b) {
  double const all = num_a + num_b, pairs = num_a * num_b;
  double const deviation = std::sqrt(pairs / 12 * (all + 1 - ties / (all * (all - 1))));
  double const z = (u - pairs / 2 - 0.5) / deviation;
  return std::erfc(z / std::sqrt(2.0)) / 2;
}

} // namespace

double rank_sum_p(std::vector<double> const& a, std::vector<double> const& b, rank_sum_method how) {
  auto const [sum, ties] = ranks_of(a, b);
  auto const num_a = static_cast<double>(a.size()), num_b = static_cast<double>(b.size());
  double const u = sum - num_a * (num_a + 1) / 2;
  bool const is_small = std::ssize(a) < exact_below && std::ssize(b) < exact_below;
  bool const is_exact =
      how == rank_sum_method::exact || (how == rank_sum_method::automatic && is_small && ties == 0);
  return is_exact ? exact_p(u, static_cast<int>(a.size()), static_cast<int>(b.size()))
                  : normal_p(u, ties, num_a, num_b);
}

double least_p(int num_a, int num_b) {
  double ways = 1;
  for (int k = 1; k <= num_a; ++k)
    ways = ways * (num_b + k) / k;
  return 1 / ways;
}

} // namespace guidelines
