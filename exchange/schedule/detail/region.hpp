/// Regions: the elements of an array that take part in an exchange, in plain numbers.
///
///     array, rows of 8:     . . . . . . . .
///                           . . # # # . . .      region{.offset = 10, .extent = {1, 2, 3},
///                           . . # # # . . .             .stride = {0, 8}}
#pragma once

#include <seam/exchange/schedule/memory_kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// A box of elements in an array whose last axis is contiguous. Slowest axis first; boxes of fewer
/// than three dimensions have leading extents of 1.
struct region {
  std::int64_t offset = 0;                        ///< of the first element [elements]
  std::array<std::int64_t, 3> extent = {1, 1, 1}; ///< [elements]
  std::array<std::int64_t, 2> stride = {0, 0};    ///< of the first two axes [elements]

  std::int64_t num_elements() const noexcept { return extent[0] * extent[1] * extent[2]; }

  friend bool operator==(region const&, region const&) = default;
};

/// For each edge of a topology, in its order, the regions that travel along it (a CSR pair).
class regions_of_edges {
public:
  regions_of_edges() = default;

  /// One region for each edge.
  explicit regions_of_edges(std::vector<region> one_each);

  /// `edges2regions` has an entry more than there are edges: edge e has regions
  /// [edges2regions[e], edges2regions[e + 1]).
  regions_of_edges(std::vector<int> edges2regions, std::vector<region> regions);

  int num_edges() const noexcept { return static_cast<int>(edges2regions_.size()) - 1; }
  std::span<region const> operator[](int edge) const;

  /// Elements that travel along `edge`.
  std::int64_t num_elements(int edge) const;

private:
  std::vector<int> edges2regions_ = {0};
  std::vector<region> regions_;
};

/// A region of a particular array in memory: rows of bytes at two levels of strides.
struct block {
  std::byte* first = nullptr;
  std::array<std::int64_t, 2> rows = {1, 1};   ///< slowest first
  std::array<std::int64_t, 2> stride = {0, 0}; ///< from row to row [bytes]
  std::int64_t row_bytes = 0;
  memory_kind const* memory = nullptr; ///< that the rows lie in; nullptr: the host's

  std::int64_t bytes() const noexcept { return rows[0] * rows[1] * row_bytes; }

  /// True if the block is one row in the host's memory, which may be sent and received as it lies.
  bool is_contiguous() const noexcept { return rows[0] * rows[1] == 1 && memory == nullptr; }
};

/// The region `where` of the array that begins at `array` and has elements of `element_bytes`; rows
/// that follow each other without a gap become one.
block make_block(std::byte* array, std::int64_t element_bytes, region const& where,
                 memory_kind const* memory = nullptr);

} // namespace seam
