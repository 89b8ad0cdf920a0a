/// The edges of a grid, stored by direction so that edges between parts are counted fast, many
/// points at once.
#pragma once

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/detail/weighted_graph.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam::detail {

class grid_edges {
public:
  /// @param grid  of at least one point
  explicit grid_edges(stencil_grid const& grid);

  /// The weight of the edges between parts; any number above `limit` if the weight is above it.
  /// Parts whose numbers are 65536 apart count as one.
  /// @param ranks2parts  [num_points]
  std::int64_t sum_between(std::span<int const> ranks2parts, std::int64_t limit) const;

  /// The volume between parts: the result of volume_between() for the grid's graph.
  /// @param ranks2parts  [num_points], 0, 1, ...
  cut_volume volume_between(std::span<int const> ranks2parts) const;

private:
  /// A short number, for fast counting: 0 or 1, a count of a point's cut edges, or a part modulo
  /// 65536.
  using short_number = std::uint16_t;

  /// Points that all send to the point whose rank is `shift` higher.
  struct direction {
    int shift;
    std::int64_t weight;
    int first;                       ///< the rank of masks[0]
    std::vector<short_number> masks; ///< 1 for each rank that has the edge, else 0
  };

  static std::int64_t count_cut(short_number const* from, short_number const* to,
                                std::span<short_number const> masks);
  void add(std::span<int const> offset, std::int64_t weight);
  void mark(direction& of, std::span<int const> low, std::span<int const> high, int k,
            int from) const;
  void count_at_points(direction const& along, std::span<int const> ranks2parts,
                       std::span<short_number> leaving, std::span<short_number> entering) const;

  std::vector<int> extent_, strides_;
  std::vector<bool> periodic_;
  bool is_symmetric_;                 ///< if so, the opposites of directions are left out
  std::vector<direction> directions_; ///< the heaviest first
};

} // namespace seam::detail
