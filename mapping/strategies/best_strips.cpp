#include <seam/mapping/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_box.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <algorithm>
#include <limits>

namespace seam {
namespace {

/// Some points side by side along the last dimension, and those that they send to.
struct side_by_side {
  int from, to, length;
  std::int64_t weight;
};

/// The edges of a grid in a form in which those that are cut are counted fast.
class edge_rows {
public:
  explicit edge_rows(stencil_grid const& grid) : grid_(grid), strides_(detail::strides_of(grid)) {
    // The edges of one direction are enough if the others are their opposites.
    bool const one_way = grid.is_symmetric();
    std::vector<int> const zero(grid.extent.size(), 0);
    for (std::size_t i = 0; i < grid.offsets.size(); ++i)
      if (!one_way || std::ranges::lexicographical_compare(zero, grid.offsets[i]))
        add(grid.offsets[i], grid.offsets.weight(i), 0, {0, 0, 1, 0});
  }

  /// The weight of the edges between parts, or half of it; or any number above `limit` if it is
  /// above.
  std::int64_t sum_between(std::vector<int> const& ranks2parts, std::int64_t limit) const {
    std::int64_t sum = 0;
    for (auto row = rows_.begin(); row != rows_.end() && sum <= limit; ++row) {
      int num_cut = 0;
      int const *const from = &ranks2parts[row->from], *const to = &ranks2parts[row->to];
      for (int i = 0; i < row->length; ++i)
        num_cut += from[i] != to[i] ? 1 : 0;
      sum += num_cut * row->weight;
    }
    return sum;
  }

private:
  /// Extends rows over the dimensions from `k` on.
  void add(std::span<int const> offset, std::int64_t weight, std::size_t k, side_by_side begun) {
    if (k == grid_.extent.size()) {
      begun.weight = weight;
      rows_.push_back(begun);
      return;
    }
    int const n = grid_.extent[k], s = offset[k];
    int const shift = grid_.periodic[k] ? (s % n + n) % n : s;
    add_range(offset, weight, k, begun, std::max(0, -shift), std::min(n, n - shift), shift);
    if (grid_.periodic[k])
      add_range(offset, weight, k, begun, n - shift, n, shift - n);
  }

  /// The points from `low` to `high` along dimension k, whose neighbors are `shift` farther.
  void add_range(std::span<int const> offset, std::int64_t weight, std::size_t k,
                 side_by_side begun, int low, int high, int shift) {
    bool const is_last = k + 1 == grid_.extent.size();
    for (int x = low; x < high; x += is_last ? high - low : 1) {
      auto row = begun;
      row.from += x * strides_[k];
      row.to += (x + shift) * strides_[k];
      row.length = is_last ? high - low : 1;
      add(offset, weight, k + 1, row);
    }
  }

  stencil_grid const& grid_;
  std::vector<int> strides_;
  std::vector<side_by_side> rows_;
};

} // namespace

std::optional<filling> divide_in_best_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  edge_rows const edges(*problem.grid);
  filling best;
  cut_volume least{std::numeric_limits<std::int64_t>::max(), 0};
  for (auto const& plan : detail::strips_to_try(*problem.grid, problem.mean_size())) {
    auto order = detail::walk_strips(*problem.grid, plan);
    auto const parts = ranks2parts_of(problem, order);
    cut_volume volume{edges.sum_between(parts, least.sum), 0};
    if (volume.sum > least.sum)
      continue;
    volume.worst = volume_between(problem.graph, parts).worst;
    if (volume < least) {
      least = volume;
      best = std::move(order);
    }
  }
  return best;
}

} // namespace seam
