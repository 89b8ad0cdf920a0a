#include <seam/mapping/dims.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

constexpr std::int64_t most = std::numeric_limits<int>::max();

/// a * b for a, b >= 0; some number beyond every int if the product is beyond every int.
std::int64_t product(std::int64_t a, std::int64_t b) {
  return a != 0 && b > most / a ? most + 1 : a * b;
}

std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent && result <= most; ++i)
    result = product(result, base);
  return result;
}

std::vector<int> divisors_of(int number) {
  std::vector<int> small, large;
  for (int i = 1; i <= number / i; ++i)
    if (number % i == 0) {
      small.push_back(i);
      if (i != number / i)
        large.push_back(number / i);
    }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

/// Largest minus smallest of factors in non-increasing order.
int spread_of(std::span<int const> factors) { return factors.front() - factors.back(); }

/// Finds the most even factorization by visiting non-increasing ones in lexicographic order.
class even_search {
public:
  even_search(int number, int num_factors) : divisors_(divisors_of(number)), factors_(num_factors) {
    place(0, number);
  }

  std::vector<int> const& best() const { return best_; }

private:
  void place(int i, int remaining) {
    if (i == std::ssize(factors_))
      return keep_if_better();
    int const open = std::ssize(factors_) - i;
    for (int const factor : divisors_) {
      if (i > 0 && factor > factors_[i - 1])
        break;
      if (power(factor, open) < remaining || remaining % factor != 0)
        continue;
      factors_[i] = factor;
      if (power(least_useful(), open - 1) > remaining / factor)
        break;
      place(i + 1, remaining / factor);
    }
  }

  void keep_if_better() {
    if (best_.empty() || spread_of(factors_) < spread_of(best_))
      best_ = factors_;
  }

  /// A factorization with a factor below this one is not better than the best so far.
  int least_useful() const {
    return best_.empty() ? 1 : std::max(1, factors_.front() - spread_of(best_) + 1);
  }

  std::vector<int> divisors_, factors_, best_;
};

void check_counts(int num_processes, std::span<int const> fixed) {
  if (num_processes < 1)
    refuse(fmt::format("dimensions: asked for {} processes (expected at least 1)", num_processes));
  for (int i = 0; i < std::ssize(fixed); ++i)
    if (fixed[i] < 0)
      refuse(fmt::format("dimensions: {} processes along dimension {} (expected 0 or more)",
                         fixed[i], i));
}

/// Product of the factors that are not free.
std::int64_t fixed_product(std::span<int const> fixed) {
  return std::accumulate(fixed.begin(), fixed.end(), std::int64_t{1},
                         [](std::int64_t all, int i) { return i > 0 ? product(all, i) : all; });
}

/// The product of the free factors; checks that the fixed ones leave a whole number.
int free_product(int num_processes, std::span<int const> fixed) {
  auto const taken = fixed_product(fixed);
  bool const all_fixed = std::ranges::count(fixed, 0) == 0;
  if (num_processes % taken != 0 || (all_fixed && num_processes != taken))
    refuse(fmt::format(
        "dimensions: {} processes over [{}] (expected the factors that are not 0 to {} {})",
        num_processes, fmt::join(fixed, ", "), all_fixed ? "give" : "divide", num_processes));
  return num_processes / static_cast<int>(taken);
}

/// Finds the best way to cut a grid of cells by visiting all that leave large enough blocks.
class block_search {
public:
  explicit block_search(cell_grid const& grid) : grid_(grid), counts_(grid.cells.size()) {
    for (int a = 0; a < std::ssize(grid.cells); ++a)
      most_.push_back(std::min(most, grid.cells[a] / std::max(1, grid.widths[a])));
    capacity_.assign(most_.size() + 1, 1);
    for (int a = std::ssize(most_); a-- > 0;)
      capacity_[a] =
          product(capacity_[a + 1], grid.processes[a] > 0 ? grid.processes[a] : most_[a]);
  }

  /// No process count beyond this one is feasible.
  std::int64_t capacity() const { return capacity_.front(); }

  /// The best way, or merely the first that is found.
  std::optional<std::vector<int>> find(int num_processes, bool first_suffices = false) {
    divisors_ = divisors_of(num_processes);
    best_.reset();
    first_suffices_ = first_suffices;
    place(0, num_processes);
    return best_;
  }

private:
  /// Larger counts come first, so that of equally good factorizations the slowest axis wins.
  void place(int axis, int remaining) {
    if ((first_suffices_ && best_) || remaining > capacity_[axis])
      return;
    if (axis == std::ssize(counts_))
      return keep_if_better();
    for (auto count = divisors_.rbegin(); count != divisors_.rend(); ++count)
      if (remaining % *count == 0 && suits(axis, *count)) {
        counts_[axis] = *count;
        place(axis + 1, remaining / *count);
      }
  }

  bool suits(int axis, int count) const {
    int const fixed = grid_.processes[axis];
    return count <= most_[axis] && (fixed == 0 || fixed == count);
  }

  void keep_if_better() {
    double const volume = halo_volume();
    if (best_ && (volume > volume_ || (volume == volume_ && !is_more_even())))
      return;
    best_ = counts_;
    volume_ = volume;
  }

  double halo_volume() const {
    double volume = 0;
    for (int a = 0; a < std::ssize(counts_); ++a)
      if (counts_[a] > 1)
        volume += grid_.widths[a] * face_of_largest_block(a);
    return volume;
  }

  double face_of_largest_block(int axis) const {
    double face = 1;
    for (int a = 0; a < std::ssize(counts_); ++a) {
      std::int64_t const extent = (grid_.cells[a] - 1) / counts_[a] + 1;
      face *= a != axis ? static_cast<double>(extent) : 1;
    }
    return face;
  }

  bool is_more_even() const {
    auto const found = free_sorted(counts_), kept = free_sorted(*best_);
    if (found.empty() || spread_of(found) != spread_of(kept))
      return !found.empty() && spread_of(found) < spread_of(kept);
    return found < kept;
  }

  std::vector<int> free_sorted(std::vector<int> const& counts) const {
    std::vector<int> free;
    for (int a = 0; a < std::ssize(counts); ++a)
      if (grid_.processes[a] == 0)
        free.push_back(counts[a]);
    std::ranges::sort(free, std::greater());
    return free;
  }

  cell_grid const& grid_;
  std::vector<std::int64_t> most_;     ///< most blocks along each axis
  std::vector<std::int64_t> capacity_; ///< most blocks that this and the later axes can make
  std::vector<int> divisors_, counts_;
  std::optional<std::vector<int>> best_;
  double volume_ = 0;
  bool first_suffices_ = false;
};

void check_grid(int num_processes, cell_grid const& grid) {
  if (grid.widths.size() != grid.cells.size() || grid.processes.size() != grid.cells.size())
    refuse(fmt::format("blocks: {} extents, {} halo widths, {} process counts (expected as many)",
                       grid.cells.size(), grid.widths.size(), grid.processes.size()));
  check_counts(num_processes, grid.processes);
  for (int a = 0; a < std::ssize(grid.cells); ++a)
    if (grid.cells[a] < 0 || grid.widths[a] < 0)
      refuse(fmt::format(
          "blocks: {} cells and halo width {} along axis {} (expected neither negative)",
          grid.cells[a], grid.widths[a], a));
}

} // namespace

std::vector<int> dims_create(int num_processes, std::span<int const> fixed) {
  check_counts(num_processes, fixed);
  int const shared = free_product(num_processes, fixed);
  std::vector<int> dims(fixed.begin(), fixed.end());
  int const num_free = std::ranges::count(fixed, 0);
  if (num_free == 0)
    return dims;
  even_search const search(shared, num_free);
  auto factor = search.best().begin();
  for (int& dim : dims)
    if (dim == 0)
      dim = *factor++;
  return dims;
}

std::optional<std::vector<int>> dims_for_blocks(int num_processes, cell_grid const& grid) {
  check_grid(num_processes, grid);
  return block_search(grid).find(num_processes);
}

int largest_usable_process_count(int limit, cell_grid const& grid) {
  check_grid(limit, grid);
  block_search search(grid);
  auto const step = fixed_product(grid.processes);
  auto count = std::min<std::int64_t>(limit, search.capacity()) / step * step;
  while (count > 0 && !search.find(static_cast<int>(count), true))
    count -= step;
  return static_cast<int>(count);
}

} // namespace seam
