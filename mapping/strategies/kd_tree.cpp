#include <seam/mapping/strategies/grid_box.hpp>

namespace seam::detail {
namespace {

class tree_walk {
public:
  explicit tree_walk(stencil_grid const& grid)
      : extent_(grid.extent), strides_(strides_of(grid)), edges_(extent_.size(), 0) {
    for (int i = 0; i < grid.offsets.size(); ++i)
      for (int k = 0; k < std::ssize(edges_); ++k)
        edges_[k] += grid.offsets[i][k] != 0 ? grid.offsets.weight(i) : 0;
    order.reserve(grid.num_points());
    fill(0);
  }

  filling order;

private:
  static constexpr int none = -1;

  /// The dimension that is longest in units of the edges along it; none of a single point.
  int longest() const {
    int longest = none;
    for (int k = 0; k < std::ssize(extent_); ++k)
      if (extent_[k] > 1 &&
          (longest == none || extent_[k] * edges_[longest] > extent_[longest] * edges_[k]))
        longest = k;
    return longest;
  }

  /// Appends the ranks of the box of extent_ whose first rank is `first`.
  void fill(int first) {
    int const k = longest();
    if (k == none)
      return order.push_back(first);
    int const n = extent_[k], half = n / 2;
    extent_[k] = half;
    fill(first);
    extent_[k] = n - half;
    fill(first + half * strides_[k]);
    extent_[k] = n;
  }

  std::vector<int> extent_, strides_; ///< [num_dimensions]
  std::vector<std::int64_t> edges_; ///< [num_dimensions], weight of the edges along each dimension
};

} // namespace

std::optional<filling> divide_by_kd_tree(division_problem const& problem) {
  if (problem.grid == nullptr)
    return std::nullopt;
  return tree_walk(*problem.grid).order;
}

} // namespace seam::detail
