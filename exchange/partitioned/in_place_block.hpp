/// Blocks in place: a block leaves from the memory into which another block arrives.
#pragma once

#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>

#include <memory>

namespace seam::detail {

/// Memory from which a block leaves, and memory into which another one arrives; in the user's they
/// are the same.
struct in_place_staging {
  /// For `block`. Local.
  explicit in_place_staging(partitioned_buffer const& block);

  std::shared_ptr<std::byte[]> out, in;
  partitioned_buffer leaving, arriving; ///< in this memory, with as many partitions and bytes
};

/// Joins both ends of the edge of `block`, whose memory is that of `staging`: `out` sends a packed
/// copy of each partition that is ready, and the partition that has arrived by `in` then overwrites
/// it. Local.
std::unique_ptr<part> make_in_place_block(partitioned_buffer const& block,
                                          in_place_staging const& staging,
                                          std::unique_ptr<part> out, std::unique_ptr<part> in);

} // namespace seam::detail
