#include <seam/mapping/strategies/division.hpp>

#include <numeric>
#include <random>

namespace seam::detail {

std::optional<filling> divide_randomly(division_problem const& problem) {
  constexpr unsigned seed = 2021;
  std::mt19937_64 random(seed);
  filling order(problem.num_ranks());
  std::iota(order.begin(), order.end(), 0);
  // std::shuffle would give another order with another standard library.
  for (int left = std::ssize(order); left > 1; --left)
    std::swap(order[left - 1], order[random() % left]);
  return order;
}

} // namespace seam::detail
