/// Dimensions of a grid of processes: factorizations of a process count.
///
///     dims_create(72, std::array{0, 0});                                        // {9, 8}
///     dims_create(24, std::array{0, 3, 0});                                     // {4, 3, 2}
///     dims_for_blocks(8, {.cells = {1000, 10}, .widths = {1, 1}, .processes = {0, 0}});  // {8, 1}
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seam {

/// Factors `num_processes` over the free dimensions as evenly as possible.
///
/// The result has the least difference between the largest and the smallest free factor; among the
/// factorizations with that difference the least largest factor, then the least second largest, and
/// so on: 360 is 9 x 8 x 5 and not 10 x 6 x 6. The search is exact.
///
/// @param num_processes  at least 1
/// @param fixed          [num_dimensions], the factor of a dimension, 0 where it is free
/// @return               [num_dimensions]; product num_processes, free factors do not increase
/// @throws usage_error   a count is negative, or the fixed factors do not divide num_processes
/// Local.
/// Threads: any.
/// Cost: microseconds up to 2^20 processes in six dimensions.
/// Source: MPI 4.0 sec. 8.5.2 (MPI_Dims_create), to the letter.
std::vector<int> dims_create(int num_processes, std::span<int const> fixed);

/// A grid of cells that is to be cut into blocks; every list is [num_axes], slowest axis first.
struct cell_grid {
  std::vector<std::int64_t> cells; ///< extent of the whole grid [cells]
  std::vector<int> widths;    ///< halo width, the least extent of a block (0 counts as 1) [cells]
  std::vector<int> processes; ///< processes along an axis, 0 where it is free
};

/// Factors `num_processes` over the axes of a grid so that the blocks exchange the least.
///
/// Every block has at least max(1, width) cells along each axis. Among these factorizations the one
/// with the least halo volume wins: the sum, over the axes that are cut at all, of the halo width
/// times the face of the largest block. Ties go to the one that is most even in the sense of
/// dims_create, then to the one that cuts slower axes into more blocks, whose faces are contiguous.
///
/// @return              [num_axes], or nothing if no factorization leaves large enough blocks
/// @throws usage_error  the lists' lengths differ, or a number is negative
/// Local.
/// Threads: any.
/// Cost: microseconds to milliseconds up to three axes.
std::optional<std::vector<int>> dims_for_blocks(int num_processes, cell_grid const& grid);

/// The largest process count, at most `limit`, for which dims_for_blocks has an answer; 0 if none.
/// Local.
/// Threads: any.
/// @throws usage_error  as dims_for_blocks
int largest_usable_process_count(int limit, cell_grid const& grid);

} // namespace seam
