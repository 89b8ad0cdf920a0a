#include <seam/mapping/strategies/grid_edges.hpp>

#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Counts ones of short numbers in pieces whose sum is short too, which vectorizes.
std::int64_t count_cut(short_part const* from, short_part const* to, short_part const* masks,
                       std::size_t length) {
  constexpr std::size_t longest = 1 << 15;
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < length; begin += longest) {
    short_part piece = 0;
    std::size_t const end = std::min(length, begin + longest);
    for (std::size_t i = begin; i < end; ++i) {
      auto const is_cut = static_cast<short_part>(from[i] != to[i]);
      piece += static_cast<short_part>(is_cut & masks[i]);
    }
    sum += piece;
  }
  return sum;
}

} // namespace

std::vector<short_part> places2parts_of(division_problem const& problem) {
  std::vector<short_part> parts;
  parts.reserve(problem.num_ranks());
  for (int part = 0; part < problem.num_parts(); ++part)
    parts.insert(parts.end(), problem.sizes[part], static_cast<short_part>(part));
  return parts;
}

grid_edges::grid_edges(stencil_grid const& grid) : grid_(grid), strides_(strides_of(grid)) {
  // The edges of one direction are enough if the others are their opposites.
  bool const one_way = grid.is_symmetric();
  factor_ = one_way ? 2 : 1;
  std::vector<int> const zero(grid.extent.size(), 0);
  for (std::size_t i = 0; i < grid.offsets.size(); ++i)
    if (!one_way || std::ranges::lexicographical_compare(zero, grid.offsets[i]))
      add(grid.offsets[i], grid.offsets.weight(i));
}

/// Adds a direction for each side of the periodic borders that an offset leads over.
void grid_edges::add(std::span<int const> offset, std::int64_t weight) {
  std::size_t const d = grid_.extent.size();
  for (std::size_t sides = 0; sides < std::size_t{1} << d; ++sides) {
    std::vector<int> low(d), high(d);
    direction found{0, weight, 0, {}};
    bool is_empty = false;
    for (std::size_t k = 0; k < d; ++k) {
      bool const wraps = (sides >> k & 1) != 0;
      int const n = grid_.extent[k];
      int const s = grid_.periodic[k] ? (offset[k] % n + n) % n : offset[k];
      low[k] = wraps ? n - s : std::max(0, -s);
      high[k] = wraps ? n : std::min(n, n - s);
      is_empty = is_empty || low[k] >= high[k] || (wraps && !grid_.periodic[k]);
      found.shift += (wraps ? s - n : s) * strides_[k];
    }
    if (is_empty || found.shift == 0)
      continue;
    int last = 0;
    for (std::size_t k = 0; k < d; ++k) {
      found.first += low[k] * strides_[k];
      last += (high[k] - 1) * strides_[k];
    }
    found.masks.assign(last - found.first + 1, 0);
    mark(found, low, high, 0, -found.first);
    directions_.push_back(std::move(found));
  }
}

/// Marks the points of a box; `from` is where its first one lies, as far as k dimensions tell.
void grid_edges::mark(direction& of, std::span<int const> low, std::span<int const> high,
                      std::size_t k, int from) const {
  if (k == low.size()) {
    of.masks[from] = 1;
    return;
  }
  for (int x = low[k]; x < high[k]; ++x)
    mark(of, low, high, k + 1, from + x * strides_[k]);
}

std::int64_t grid_edges::sum_between(std::span<short_part const> ranks2parts,
                                     std::int64_t limit) const {
  std::int64_t sum = 0;
  for (direction const& one : directions_) {
    short_part const* const from = ranks2parts.data() + one.first;
    sum += factor_ * one.weight *
           count_cut(from, from + one.shift, one.masks.data(), one.masks.size());
    if (sum > limit)
      break;
  }
  return sum;
}

} // namespace seam::detail
