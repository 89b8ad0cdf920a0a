/// The edges of a grid in a form in which those between parts are counted fast: direction after
/// direction, many points at once.
#pragma once

#include <seam/mapping/strategies/division.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam::detail {

/// A part's number, as short as counting likes it: modulo 65536.
using short_part = std::uint16_t;

/// For each place in the order of filling the part that it belongs to. [num_ranks]
std::vector<short_part> places2parts_of(division_problem const& problem);

class grid_edges {
public:
  explicit grid_edges(stencil_grid const& grid);

  /// The weight of the edges between parts, or any number above `limit` if it is above. Parts whose
  /// numbers are 65536 apart count as one.
  /// @param ranks2parts  [num_points]
  std::int64_t sum_between(std::span<short_part const> ranks2parts, std::int64_t limit) const;

private:
  /// Points that all send to the point whose rank is `shift` higher.
  struct direction {
    int shift;
    std::int64_t weight;
    int first;                     ///< rank that mask[0] is for
    std::vector<short_part> masks; ///< 1 for each rank that has the edge, else 0
  };

  void add(std::span<int const> offset, std::int64_t weight);
  void mark(direction& of, std::span<int const> low, std::span<int const> high, std::size_t k,
            int from) const;

  stencil_grid const& grid_;
  std::vector<int> strides_;
  std::vector<direction> directions_;
  std::int64_t factor_; ///< that one direction of a pair stands for
};

} // namespace seam::detail
