#include <seam/mapping/strategies/grid_edges.hpp>

#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {

grid_edges::grid_edges(stencil_grid const& grid)
    : extent_(grid.extent),
      strides_(strides_of(grid)),
      periodic_(grid.periodic),
      is_symmetric_(grid.is_symmetric()) {
  std::vector<int> const zero(extent_.size(), 0);
  for (int i = 0; i < grid.offsets.size(); ++i)
    if (!is_symmetric_ || std::ranges::lexicographical_compare(zero, grid.offsets[i]))
      add(grid.offsets[i], grid.offsets.weight(i));
  std::ranges::stable_sort(directions_, std::ranges::greater(), &direction::weight);
}

/// Adds a direction for each side of the periodic borders that an offset leads over.
void grid_edges::add(std::span<int const> offset, std::int64_t weight) {
  int const d = std::ssize(extent_);
  std::vector<int> low(d), high(d);
  for (int sides = 0; sides < 1 << d; ++sides) {
    direction found{0, weight, 0, {}};
    bool is_empty = false;
    int last = 0;
    for (int k = 0; k < d; ++k) {
      bool const wraps = (sides >> k & 1) != 0;
      int const n = extent_[k];
      int const s = periodic_[k] ? (offset[k] % n + n) % n : offset[k];
      low[k] = wraps ? n - s : std::max(0, -s);
      high[k] = wraps ? n : std::min(n, n - s);
      is_empty = is_empty || low[k] >= high[k] || (wraps && !periodic_[k]);
      found.shift += (wraps ? s - n : s) * strides_[k];
      found.first += low[k] * strides_[k];
      last += (high[k] - 1) * strides_[k];
    }
    if (is_empty || found.shift == 0)
      continue;
    found.masks.assign(last - found.first + 1, 0);
    mark(found, low, high, 0, -found.first);
    directions_.push_back(std::move(found));
  }
}

/// Marks the points of a box; `from` is the position of its first point, from the first k
/// dimensions.
void grid_edges::mark(direction& of, std::span<int const> low, std::span<int const> high, int k,
                      int from) const {
  if (k + 1 == std::ssize(low)) {
    std::fill(of.masks.begin() + from + low[k], of.masks.begin() + from + high[k], 1);
    return;
  }
  for (int x = low[k]; x < high[k]; ++x)
    mark(of, low, high, k + 1, from + x * strides_[k]);
}

/// Counts the cut edges in pieces whose sum is a short number too, so that the loop vectorizes.
std::int64_t grid_edges::count_cut(short_number const* from, short_number const* to,
                                   std::span<short_number const> masks) {
  constexpr std::int64_t longest = 1 << 15;
  std::int64_t sum = 0;
  for (std::int64_t begin = 0; begin < std::ssize(masks); begin += longest) {
    short_number piece = 0;
    std::int64_t const end = std::min(std::ssize(masks), begin + longest);
    for (std::int64_t i = begin; i < end; ++i) {
      auto const is_cut = static_cast<short_number>(from[i] != to[i]);
      piece += static_cast<short_number>(is_cut & masks[i]);
    }
    sum += piece;
  }
  return sum;
}

std::int64_t grid_edges::sum_between(std::span<int const> ranks2parts, std::int64_t limit) const {
  std::vector<short_number> const parts(ranks2parts.begin(), ranks2parts.end());
  std::int64_t sum = 0;
  for (direction const& along : directions_) {
    short_number const* const from = parts.data() + along.first;
    sum +=
        (is_symmetric_ ? 2 : 1) * along.weight * count_cut(from, from + along.shift, along.masks);
    if (sum > limit)
      break;
  }
  return sum;
}

/// Adds 1 to the points at which edges of a direction that lead between parts begin and end.
void grid_edges::count_at_points(direction const& along, std::span<int const> ranks2parts,
                                 std::span<short_number> leaving,
                                 std::span<short_number> entering) const {
  int const* const from = ranks2parts.data() + along.first;
  short_number* const begins = leaving.data() + along.first;
  short_number* const ends =
      (is_symmetric_ ? leaving : entering).data() + along.first + along.shift;
  std::vector<short_number> cut(along.masks.size());
  for (int i = 0; i < std::ssize(cut); ++i)
    cut[i] = static_cast<short_number>((from[i] != from[i + along.shift]) & along.masks[i]);
  for (int i = 0; i < std::ssize(cut); ++i)
    begins[i] += cut[i];
  for (int i = 0; i < std::ssize(cut); ++i)
    ends[i] += cut[i];
}

cut_volume grid_edges::volume_between(std::span<int const> ranks2parts) const {
  constexpr int most_directions = 1 << 14; // for which counts at a point stay short
  std::vector<short_number> leaving(ranks2parts.size()), entering(ranks2parts.size());
  std::vector<std::int64_t> leaving_parts(std::ranges::max(ranks2parts) + 1, 0),
      entering_parts(leaving_parts);
  for (auto next = directions_.begin(); next != directions_.end();) {
    auto const weight = next->weight;
    std::ranges::fill(leaving, 0);
    std::ranges::fill(entering, 0);
    for (int i = 0; i < most_directions && next != directions_.end() && next->weight == weight; ++i)
      count_at_points(*next++, ranks2parts, leaving, entering);
    for (int rank = 0; rank < std::ssize(ranks2parts); ++rank) {
      leaving_parts[ranks2parts[rank]] += weight * leaving[rank];
      entering_parts[ranks2parts[rank]] += weight * entering[rank];
    }
  }
  return {std::accumulate(leaving_parts.begin(), leaving_parts.end(), std::int64_t{0}),
          std::max(std::ranges::max(leaving_parts), std::ranges::max(entering_parts))};
}

} // namespace seam::detail
