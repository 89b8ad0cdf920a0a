#include <seam/mapping/strategies/division.hpp>

#include <algorithm>
#include <numeric>
#include <random>

namespace seam::detail {

std::optional<int> division_problem::common_size() const {
  bool const even = std::ranges::count(sizes, sizes.front()) == std::ssize(sizes);
  return even ? std::optional(sizes.front()) : std::nullopt;
}

std::vector<int> places2parts_of(division_problem const& problem) {
  std::vector<int> parts;
  parts.reserve(problem.num_ranks());
  for (int part = 0; part < problem.num_parts(); ++part)
    parts.insert(parts.end(), problem.sizes[part], part);
  return parts;
}

std::vector<int> ranks2parts_of(division_problem const& problem, filling const& order) {
  std::vector<int> parts(order.size());
  auto next = order.begin();
  for (int part = 0; part < problem.num_parts(); ++part)
    for (int i = 0; i < problem.sizes[part]; ++i)
      parts[*next++] = part;
  return parts;
}

filling filling_of(division_problem const& problem, std::span<int const> ranks2parts) {
  std::vector<int> next(problem.num_parts(), 0);
  std::exclusive_scan(problem.sizes.begin(), problem.sizes.end(), next.begin(), 0);
  filling order(ranks2parts.size());
  for (int rank = 0; rank < std::ssize(ranks2parts); ++rank)
    order[next[ranks2parts[rank]]++] = rank;
  return order;
}

std::optional<filling> divide_blocked(division_problem const& problem) {
  filling order(problem.num_ranks());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

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
