/// Lists of offsets: vectors of d integers that lead from a process, or a cell, to its neighbors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace seam {

/// The reach of a set of offsets along one axis.
struct reach {
  int below = 0; ///< towards smaller coordinates, at least 0
  int above = 0; ///< towards larger coordinates, at least 0

  friend bool operator==(reach const&, reach const&) = default;
};

/// Offsets with weights, in a meaningful order. Offsets may repeat.
class offset_list {
public:
  explicit offset_list(int num_dimensions) : num_dimensions_(num_dimensions) {}

  /// Appends an offset. @param offset  [num_dimensions]
  void push_back(std::span<int const> offset, int weight = 1);

  int num_dimensions() const noexcept { return num_dimensions_; }
  int size() const noexcept { return std::ssize(weights_); }
  bool empty() const noexcept { return weights_.empty(); }

  /// The i-th offset. [num_dimensions]
  std::span<int const> operator[](int i) const;

  int weight(int i) const { return weights_[i]; }

  /// All offsets, as CartesianNaming::allranks_relative() takes them. [size][num_dimensions]
  std::span<int const> flat() const noexcept;

  /// [size]
  std::span<int const> weights() const noexcept;

  /// The opposite vectors, in the same order with the same weights.
  offset_list inverse() const;

  /// The least extents that hold all offsets. [num_dimensions]
  std::vector<reach> radius() const;

  friend bool operator==(offset_list const& a, offset_list const& b);

private:
  int num_dimensions_;
  std::vector<int> flat_, weights_;
};

} // namespace seam
