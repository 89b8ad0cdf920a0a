/// Partitioned buffers: memory in partitions of equal numbers of elements, one after another
/// ([MPI4] sec. 4.2: the count is that of one partition).
///
///     in_partitions(values, 4)                         // a contiguous range in 4 equal partitions
///     partitioned_buffer{matrix, 3, 1, column_type}    // 3 partitions of one column each
#pragma once

#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <utility>
#include <vector>

namespace seam {

/// A buffer of `partitions` times `count` elements.
struct partitioned_buffer {
  void const* data = nullptr;
  int partitions = 0;
  std::int64_t count = 0; ///< of one partition [elements]
  MPI_Datatype type = MPI_BYTE;

  /// The elements of partition `p`, and of all partitions. Local.
  elements partition(int p) const;
  elements all() const { return {data, num_elements(), type}; }
  std::int64_t num_elements() const noexcept { return partitions * count; }
};

/// The numbers of partitions of the blocks that a process sends, or of those that it receives.
class partition_counts {
public:
  /// All blocks have as many.
  partition_counts(int of_each) : of_each_(of_each) {}

  /// @param of_blocks  [destinations] or [sources]; numbers of edges without a block are not read
  partition_counts(std::vector<int> of_blocks) : of_blocks_(std::move(of_blocks)), is_list_(true) {}

  /// The partitions of the block of an edge.
  /// @throws usage_error  there are numbers for fewer edges
  int of(int edge) const;

private:
  int of_each_ = 0;
  std::vector<int> of_blocks_;
  bool is_list_ = false;
};

/// Refuses a negative number of partitions or of elements, and a null pointer to some elements.
/// @param call  begins the error line
/// Local.
void check_buffer(char const* call, partitioned_buffer const& buffer);

/// Cuts `whole` into `partitions` equal partitions.
/// @throws usage_error  their number is below 1, or does not divide that of the elements
partitioned_buffer in_partitions(elements const& whole, int partitions);

/// Cuts a contiguous range into `partitions` equal partitions.
template <std::ranges::contiguous_range Range>
partitioned_buffer in_partitions(Range&& range, int partitions) {
  return in_partitions(elements_of(range), partitions);
}

} // namespace seam
