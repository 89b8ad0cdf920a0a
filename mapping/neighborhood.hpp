/// Neighborhoods: the offsets that lead to neighbors, declared once for any number of dimensions.
///
///     seam::von_neumann(1)                           // the 2d faces
///     seam::moore(2)                                 // all within a cube of edge 5
///     seam::metric_neighborhood(seam::metric::manhattan, 0, 2)   // the diamond with its center
///     seam::range({0, 1}, {-1, 1})                   // a box: 0 to 1 along axis 0, -1 to 1 along 1
///     seam::offsets({{0, 1}, {-1, 0}}, {3, 1})       // any directed, weighted list
///
/// neighbors.hpp finds the neighbors of each process of a Cartesian naming.
#pragma once

#include <seam/mapping/detail/offset_list.hpp>

#include <memory>
#include <vector>

namespace seam {

/// The norm that measures the distance of an offset.
enum class metric {
  manhattan, ///< sum of the absolute entries: von Neumann neighborhoods
  chebyshev  ///< largest absolute entry: Moore neighborhoods
};

/// A set of offsets, in an order, for any number of dimensions or for one. An immutable value.
class neighborhood {
public:
  /// The offsets for a grid of `num_dimensions`: generated ones in lexicographic order with weight
  /// 1, explicit ones as they were given.
  /// @throws usage_error  explicit offsets have another dimension, or there would be more than
  ///         most_offsets offsets (found before any is listed)
  offset_list expand(int num_dimensions) const;

  /// The most offsets that expand() lists: 4,194,304, about as many as a cube of 161^3 cells has.
  static constexpr int most_offsets = 1 << 22;

  /// The reach of the offsets along each axis. [num_dimensions]
  std::vector<reach> radius(int num_dimensions) const;

  friend bool operator==(neighborhood const& a, neighborhood const& b);

private:
  struct declaration;
  explicit neighborhood(declaration declared);

  friend neighborhood metric_neighborhood(metric, int, int);
  friend neighborhood offsets(std::vector<std::vector<int>> const&, std::vector<int> const&);

  std::shared_ptr<declaration const> declared_;
};

/// All offsets whose distance is at least `shadow` and at most `depth`; shadow 0 includes the
/// center.
/// @throws usage_error  not 0 <= shadow <= depth
/// Source: [Traeff2021] listing 6 (Cart_neighbors).
neighborhood metric_neighborhood(metric distance, int shadow, int depth);

/// Offsets of Manhattan distance 1 to `depth`: in 2D a diamond, 4 for depth 1 and 12 for depth 2.
neighborhood von_neumann(int depth);

/// Offsets of Chebyshev distance 1 to `depth`: in 2D a square, 8 for depth 1 and 24 for depth 2.
neighborhood moore(int depth);

/// Offsets along an axis, both ends included.
struct from_to {
  int from, to;
};

/// All offsets in a box of one, two or three dimensions, in lexicographic order: the product of what
/// is given for each axis.
/// @throws usage_error  an end lies before its beginning, or there would be more than
///         neighborhood::most_offsets offsets
neighborhood range(from_to i);
neighborhood range(from_to i, from_to j);
neighborhood range(from_to i, from_to j, from_to k);

/// The offsets of `list` in its order; they may repeat, and the zero offset is the process itself.
///
/// @param list     [n][num_dimensions]
/// @param weights  [n], at least 1; all 1 if empty
/// @throws usage_error  lengths differ, or a weight is below 1
neighborhood offsets(std::vector<std::vector<int>> const& list,
                     std::vector<int> const& weights = {});

} // namespace seam
