#include <seam/mapping/cartesian_naming.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

/// `value` modulo `n` in 0, ..., n-1.
std::int64_t wrapped(std::int64_t value, std::int64_t n) { return ((value % n) + n) % n; }

/// `value` modulo `n` in -(n-1)/2, ..., n/2.
std::int64_t nearest(std::int64_t value, std::int64_t n) {
  auto const up = wrapped(value, n);
  return up > n / 2 ? up - n : up;
}

} // namespace

dimension_order dimension_order::permutation(std::vector<int> slowest_first) {
  std::vector<int> sorted = slowest_first, all(slowest_first.size());
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all)
    refuse(fmt::format("dimension order: [{}] (expected each of 0 to {} once)",
                       fmt::join(slowest_first, ", "), std::ssize(slowest_first) - 1));
  return {kind::permutation, std::move(slowest_first)};
}

std::vector<int> dimension_order::slowest_first(int num_dimensions) const {
  if (kind_ == kind::permutation) {
    if (std::ssize(permutation_) != num_dimensions)
      refuse(fmt::format("dimension order: [{}] for {} dimensions (expected {} entries)",
                         fmt::join(permutation_, ", "), num_dimensions, num_dimensions));
    return permutation_;
  }
  std::vector<int> dimensions(num_dimensions);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  if (kind_ == kind::column_major)
    std::ranges::reverse(dimensions);
  return dimensions;
}

CartesianNaming::CartesianNaming(int num_processes, std::vector<int> order,
                                 std::vector<bool> periodic, dimension_order dimorder)
    : num_processes_(num_processes),
      order_(std::move(order)),
      periodic_(std::move(periodic)),
      dimorder_(std::move(dimorder)),
      slowest_first_(dimorder_.slowest_first(num_dimensions())),
      strides_(order_.size()) {
  if (num_processes < 1)
    refuse(fmt::format("naming: asked for {} processes (expected at least 1)", num_processes));
  check_length(periodic_.size(), "periodicities");
  for (int i = 0; i < std::ssize(order_); ++i)
    if (order_[i] < 1)
      refuse(fmt::format("naming: {} points along dimension {} (expected at least 1)", order_[i],
                         i));
  for (auto dimension = slowest_first_.rbegin(); dimension != slowest_first_.rend(); ++dimension) {
    int const i = *dimension;
    strides_[i] = size_;
    if (size_ > std::numeric_limits<std::int64_t>::max() / order_[i])
      refuse(fmt::format("naming: {} points (expected fewer than 2^63)", fmt::join(order_, " x ")));
    size_ *= order_[i];
  }
}

bool CartesianNaming::is_named(int rank) const {
  check_rank(rank);
  return rank != MPI_PROC_NULL && rank < size_;
}

template <class F>
int CartesianNaming::rank_at(F&& at) const {
  std::int64_t rank = 0;
  for (int i = 0; i < std::ssize(order_); ++i) {
    std::int64_t const x = at(i), inside = wrapped(x, order_[i]);
    if (x != inside && !periodic_[i])
      return MPI_PROC_NULL;
    rank += inside * strides_[i];
  }
  return rank < num_processes_ ? static_cast<int>(rank) : MPI_PROC_NULL;
}

std::int64_t CartesianNaming::coordinate(int rank, int dimension) const {
  return rank / strides_[dimension] % order_[dimension];
}

int CartesianNaming::rank(std::span<int const> coordinates) const {
  check_length(coordinates.size(), "coordinates");
  return rank_at([&](int i) { return coordinates[i]; });
}

std::vector<int> CartesianNaming::coordinates(int rank) const {
  std::vector<int> result(order_.size(), MPI_PROC_NULL);
  if (is_named(rank))
    for (int i = 0; i < std::ssize(result); ++i)
      result[i] = static_cast<int>(coordinate(rank, i));
  return result;
}

int CartesianNaming::relative_rank(int source, std::span<int const> relative) const {
  return relative_shift(source, relative).out;
}

shift_ranks CartesianNaming::relative_shift(int rank, std::span<int const> relative) const {
  check_length(relative.size(), "relative coordinates");
  if (!is_named(rank))
    return {MPI_PROC_NULL, MPI_PROC_NULL};
  return {rank_at([&](int i) { return coordinate(rank, i) - relative[i]; }),
          rank_at([&](int i) { return coordinate(rank, i) + relative[i]; })};
}

std::vector<int> CartesianNaming::relative_coordinates(int source, int dest) const {
  bool const both_named = is_named(source) && is_named(dest);
  if (!both_named)
    return std::vector<int>(order_.size(), MPI_PROC_NULL);
  std::vector<int> relative(order_.size());
  for (int i = 0; i < std::ssize(relative); ++i)
    relative[i] = static_cast<int>(coordinate(dest, i) - coordinate(source, i));
  return normalized(relative);
}

std::vector<int> CartesianNaming::normalized(std::span<int const> relative) const {
  check_length(relative.size(), "relative coordinates");
  std::vector<int> result(relative.begin(), relative.end());
  for (int i = 0; i < std::ssize(result); ++i)
    if (periodic_[i])
      result[i] = static_cast<int>(nearest(result[i], order_[i]));
  return result;
}

std::vector<int> CartesianNaming::allranks(std::span<int const> coordinates) const {
  check_list(coordinates);
  std::vector<int> ranks;
  for (auto rest = coordinates; !rest.empty(); rest = rest.subspan(order_.size()))
    ranks.push_back(rank(rest.first(order_.size())));
  return ranks;
}

std::vector<int> CartesianNaming::allranks_relative(int source,
                                                    std::span<int const> relatives) const {
  check_rank(source);
  check_list(relatives);
  std::vector<int> ranks;
  for (auto rest = relatives; !rest.empty(); rest = rest.subspan(order_.size()))
    ranks.push_back(relative_rank(source, rest.first(order_.size())));
  return ranks;
}

int CartesianNaming::lowest_in_sub(int rank, std::vector<bool> const& excluded) const {
  check_length(excluded.size(), "excluded dimensions");
  if (!is_named(rank))
    return MPI_PROC_NULL;
  return rank_at([&](int i) { return excluded[i] ? coordinate(rank, i) : 0; });
}

CartesianNaming CartesianNaming::sub_naming(std::vector<bool> const& excluded,
                                            int num_processes) const {
  check_length(excluded.size(), "excluded dimensions");
  std::vector<int> order, renumbered(order_.size()), slowest_first;
  std::vector<bool> periodic;
  for (int i = 0; i < std::ssize(order_); ++i) {
    renumbered[i] = std::ssize(order);
    if (!excluded[i]) {
      order.push_back(order_[i]);
      periodic.push_back(periodic_[i]);
    }
  }
  for (int const dimension : slowest_first_)
    if (!excluded[dimension])
      slowest_first.push_back(renumbered[dimension]);
  return {num_processes, std::move(order), std::move(periodic),
          dimorder_.is_row_major() || dimorder_.is_column_major()
              ? dimorder_
              : dimension_order::permutation(std::move(slowest_first))};
}

void CartesianNaming::check_rank(int rank) const {
  if (rank != MPI_PROC_NULL && (rank < 0 || rank >= num_processes_))
    refuse(fmt::format("naming: rank {} (expected 0 to {})", rank, num_processes_ - 1));
}

void CartesianNaming::check_length(std::ptrdiff_t found, char const* what) const {
  if (found != std::ssize(order_))
    refuse(fmt::format("naming: {} {} for {} points (expected {})", found, what,
                       fmt::join(order_, " x "), order_.size()));
}

void CartesianNaming::check_list(std::span<int const> list) const {
  auto const d = order_.size();
  if (d == 0 ? !list.empty() : list.size() % d != 0)
    refuse(fmt::format("naming: a list of {} numbers (expected a multiple of {} dimensions)",
                       list.size(), d));
}

std::string to_string(CartesianNaming const& naming) {
  std::vector<int> const periodic(naming.periodic().begin(), naming.periodic().end());
  return fmt::format("{} points for {} processes, slowest first [{}], periodic [{}]",
                     fmt::join(naming.order(), " x "), naming.num_processes(),
                     fmt::join(naming.dimorder().slowest_first(naming.num_dimensions()), ", "),
                     fmt::join(periodic, ", "));
}

} // namespace seam
