#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

class halving {
public:
  halving(stencil_grid const& grid, int part_size)
      : grid_(grid), part_size_(part_size), alignment_(grid.extent.size(), 0) {
    for (int i = 0; i < grid.offsets.size(); ++i)
      add_alignment(grid.offsets[i], grid.offsets.weight(i));
    fill(grid_box::whole(grid));
  }

  filling order;

private:
  /// Adds how much an offset points along each dimension: the square of the angle's cosine.
  void add_alignment(std::span<int const> offset, int weight) {
    double square = 0;
    for (double const s : offset)
      square += s * s;
    for (int k = 0; square > 0 && k < std::ssize(offset); ++k)
      alignment_[k] += weight * offset[k] * static_cast<double>(offset[k]) / square;
  }

  /// The dimensions in the order in which a cut across them is tried.
  std::vector<int> preferred(grid_box const& box) const {
    std::vector<int> dimensions(alignment_.size());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    std::ranges::stable_sort(dimensions, [&](int a, int b) {
      return alignment_[a] != alignment_[b] ? alignment_[a] < alignment_[b]
                                            : box.extent[a] > box.extent[b];
    });
    return dimensions;
  }

  /// The width below the cut that is nearest to the middle with whole parts below it; 0 if there is
  /// no such cut.
  int middle_cut(grid_box const& box, int dimension) const {
    auto const layer = box.volume() / box.extent[dimension];
    for (int width = box.extent[dimension] / 2; width > 0; --width)
      if (layer * width % part_size_ == 0)
        return width;
    return 0;
  }

  void fill(grid_box const& box) {
    auto const dimensions = preferred(box);
    for (int const k : dimensions)
      if (int const width = box.volume() > part_size_ ? middle_cut(box, k) : 0; width > 0) {
        auto const [low, high] = box.cut(k, width);
        fill(low);
        fill(high);
        return;
      }
    append_ranks(grid_, box, dimensions, order);
  }

  stencil_grid const& grid_;
  int part_size_;
  std::vector<double> alignment_; ///< [num_dimensions], of the stencil
};

} // namespace

std::optional<filling> divide_by_hyperplanes(division_problem const& problem) {
  if (problem.grid == nullptr)
    return std::nullopt;
  return halving(*problem.grid, problem.mean_size()).order;
}

} // namespace seam::detail
