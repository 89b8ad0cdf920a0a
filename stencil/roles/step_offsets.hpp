/// Stencils: the offsets at which a kernel reads a field, relative to its own place.
///
///     star(2)              up to two steps along each axis, both ways
///     moore(1)             all neighbors, von_neumann(2), offsets({...}): any neighborhood
///     range({0, 1}, {0, 1})  a box, here of four offsets, from 0 to 1 along each axis
///     line(0, -1, 0)       from -1 to 0 along axis 0
///     at({{0, 1}, {1, 1}}) single offsets
///     line(0, -1, 1) + line(1, 0, 1)
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>
#include <seam/mapping/neighborhood.hpp>

#include <functional>
#include <vector>

namespace seam {

/// A set of offsets for any number of axes. An immutable value.
class stencil {
public:
  /// The place itself.
  stencil() = default;

  /// The offsets of a neighborhood.
  stencil(neighborhood const& of);

  /// The offsets for `num_axes` axes, in order, once each.
  /// @throws usage_error  they are given for other numbers of axes
  std::vector<std::vector<int>> expand(int num_axes) const;

  friend stencil star(int radius);
  friend stencil line(int axis, int from, int to);
  friend stencil at(std::vector<std::vector<int>> const& list);
  friend stencil operator+(stencil const& first, stencil const& second);

private:
  using offsets_of_axes = std::function<std::vector<std::vector<int>>(int)>;
  explicit stencil(offsets_of_axes list) : list_(std::move(list)) {}

  offsets_of_axes list_;
};

/// Up to `radius` steps along each axis, both ways.
/// @throws usage_error  a negative radius
stencil star(int radius);

/// From `from` to `to` steps along one axis.
/// @throws usage_error  `to` lies before `from`
stencil line(int axis, int from, int to);

/// Single offsets. [any number][axes]
stencil at(std::vector<std::vector<int>> const& list);

/// The offsets of both.
stencil operator+(stencil const& first, stencil const& second);

namespace detail {

/// The offsets for a grid of `num_axes` axes.
std::vector<index3> padded_offsets(stencil const& of, int num_axes);

} // namespace detail
} // namespace seam
