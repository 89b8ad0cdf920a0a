/// Reductions in place: the result overwrites values, also those of other blocks.
#pragma once

#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/marks.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// The blocks of a reduce-scatter that are contiguous, and begin where its result does.
/// take() copies values that are ready to memory of their own, and put() copies a partition of the
/// result to its place once all values that it overwrites have been taken. Threads: any, but for
/// clear().
class in_place_values {
public:
  /// @param shapes   partitions of each block, of one dense type; `data` is not read
  /// @param receive  the result, which begins where the blocks do
  in_place_values(std::vector<partitioned_buffer> const& shapes, partitioned_buffer const& receive);

  /// The blocks and the result, in memory of their own.
  std::vector<partitioned_buffer> const& values() const noexcept { return values_; }
  partitioned_buffer const& result() const noexcept { return result_; }

  void clear() noexcept;

  /// Copies partitions [first, last) of `block`. Returns one that has been taken already, or -1.
  int take(int block, int first, int last);

  /// Copies partition `p` of the result to its place, if that may be overwritten; true once it is
  /// there.
  bool put(int p);

private:
  std::vector<int> first_partitions_; ///< [blocks] numbered through all blocks
  std::vector<std::int64_t> begins_;  ///< [partitions of all + 1] [bytes]
  std::byte* user_;
  std::vector<std::byte> memory_, result_memory_;
  std::vector<partitioned_buffer> values_;
  partitioned_buffer result_;
  std::int64_t result_bytes_; ///< of one partition
  marks claimed_, taken_, put_, arrived_;
};

/// Makes a part of `reduction`, that of `block`, whose values lie in place; its result, if it has
/// one, is that of `all`. Local.
std::unique_ptr<part> make_in_place_reduction(std::shared_ptr<in_place_values> all, int block,
                                              std::unique_ptr<part> reduction);

} // namespace seam::detail
