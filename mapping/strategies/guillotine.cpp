#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace seam::detail {
namespace {

/// The dynamic program over the extents of boxes.
class cutting {
public:
  cutting(stencil_grid const& grid, int part_size)
      : grid_(grid),
        part_size_(part_size),
        offsets_(lengths_of_offsets(grid.offsets)),
        extent_(grid.extent),
        strides_(extent_.size(), 1) {
    std::int64_t num_boxes = 1;
    for (int k = 0; k < std::ssize(extent_); ++k) {
      strides_[k] = num_boxes;
      num_boxes *= extent_[k] + 1;
    }
    boxes_.resize(num_boxes);
    find_inside_lengths();
  }

  /// The filling by the best cuts; nothing if no straight cuts make parts of the size.
  std::optional<filling> run() {
    if (solve(box_index(extent_), grid_.num_points()).inside == impossible)
      return std::nullopt;
    filling order;
    fill(grid_box::whole(grid_), order);
    return order;
  }

private:
  static constexpr std::int64_t unknown = -2, impossible = -1;
  static constexpr int is_part = -1;

  /// The best cut of a box of some extent, wherever the box lies.
  struct solution {
    std::int64_t inside = unknown; ///< weight of the edges inside its parts
    std::int64_t least = 0;        ///< weight inside the part that has the least
    int dimension = is_part;       ///< the dimension that is cut
    int width = 0;

    bool is_better_than(solution const& other) const {
      return inside != other.inside ? inside > other.inside : least > other.least;
    }
  };

  /// The offsets without signs, which do not matter inside a box. Each is listed once, with the sum
  /// of its weights.
  static std::map<std::vector<int>, std::int64_t> lengths_of_offsets(offset_list const& offsets) {
    std::map<std::vector<int>, std::int64_t> lengths;
    for (int i = 0; i < offsets.size(); ++i) {
      std::vector<int> length;
      for (int const s : offsets[i])
        length.push_back(std::abs(s));
      lengths[std::move(length)] += offsets.weight(i);
    }
    return lengths;
  }

  std::int64_t box_index(std::vector<int> const& extent) const {
    std::int64_t index = 0;
    for (int k = 0; k < std::ssize(extent); ++k)
      index += strides_[k] * extent[k];
    return index;
  }

  /// Of `a` points in a row along a dimension, the number whose neighbor at distance s >= 0 is
  /// among them, also round the ring.
  int num_inside(int dimension, int a, int s) const {
    int const n = grid_.extent[dimension];
    if (!grid_.periodic[dimension])
      return std::max(0, a - s);
    int const forward = s % n;
    return std::max(0, a - forward) + (forward > 0 ? std::max(0, a - (n - forward)) : 0);
  }

  void find_inside_lengths() {
    lengths_.resize(extent_.size());
    for (int k = 0; k < grid_.num_dimensions(); ++k)
      for (int a = 0; a <= grid_.extent[k]; ++a)
        for (auto const& [offset, weight] : offsets_)
          lengths_[k].push_back(num_inside(k, a, offset[k]));
  }

  /// The weight of the edges inside the box of extent_.
  std::int64_t weight_inside() const {
    std::int64_t sum = 0;
    std::size_t i = 0;
    for (auto const& [offset, weight] : offsets_) {
      std::int64_t edges = weight;
      for (int k = 0; k < std::ssize(extent_); ++k)
        edges *= lengths_[k][extent_[k] * offsets_.size() + i];
      sum += edges;
      ++i;
    }
    return sum;
  }

  /// Solves for the box of extent_.
  solution const& solve(std::int64_t index, std::int64_t volume) {
    if (boxes_[index].inside == unknown)
      boxes_[index] = volume == part_size_ ? whole_part() : best_cut(index, volume);
    return boxes_[index];
  }

  solution whole_part() const {
    auto const inside = weight_inside();
    return {inside, inside, is_part, 0};
  }

  solution best_cut(std::int64_t index, std::int64_t volume) {
    solution best{impossible, 0, is_part, 0};
    for (int k = 0; k < grid_.num_dimensions(); ++k) {
      int const n = extent_[k];
      auto const layer = volume / n, whole_parts = part_size_ / std::gcd(layer, part_size_);
      for (auto width = whole_parts; width <= n / 2; width += whole_parts)
        if (auto const found = solve_cut(index, k, static_cast<int>(width), layer);
            found.is_better_than(best))
          best = found;
    }
    return best;
  }

  solution solve_cut(std::int64_t index, int k, int width, std::int64_t layer) {
    int const n = extent_[k];
    auto const solve_slab = [&](int thickness) {
      extent_[k] = thickness;
      solution const slab = solve(index - strides_[k] * (n - thickness), layer * thickness);
      extent_[k] = n;
      return slab;
    };
    solution const low = solve_slab(width);
    if (low.inside == impossible)
      return low;
    solution const high = solve_slab(n - width);
    if (high.inside == impossible)
      return high;
    return {low.inside + high.inside, std::min(low.least, high.least), k, width};
  }

  void fill(grid_box const& box, filling& order) const {
    solution const& best = boxes_[box_index(box.extent)];
    if (best.dimension == is_part)
      return append_ranks(grid_, box, order);
    auto const [low, high] = box.cut(best.dimension, best.width);
    fill(low, order);
    fill(high, order);
  }

  stencil_grid const& grid_;
  std::int64_t part_size_;
  std::map<std::vector<int>, std::int64_t> offsets_; ///< with their weights
  std::vector<int> extent_;                          ///< of the box in question
  std::vector<std::int64_t> strides_;
  std::vector<solution> boxes_;           ///< [extents + 1]
  std::vector<std::vector<int>> lengths_; ///< [num_dimensions][extent + 1][num_offsets]
};

/// Beyond this the table of boxes, 24 bytes each, is no longer worth its memory.
bool is_small_enough(stencil_grid const& grid) {
  constexpr std::int64_t most_boxes = 1 << 24;
  std::int64_t boxes = 1;
  for (int const n : grid.extent)
    boxes = std::min(boxes * (n + 1), most_boxes + 1);
  return boxes <= most_boxes;
}

} // namespace

std::optional<filling> divide_by_guillotine(division_problem const& problem) {
  auto const size = problem.common_size();
  if (problem.grid == nullptr || !size || !is_small_enough(*problem.grid))
    return std::nullopt;
  return cutting(*problem.grid, *size).run();
}

} // namespace seam::detail
