/// Blocks in place: what leaves lies where something else arrives.
#pragma once

#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>

#include <memory>

namespace seam {

/// Memory in which a block leaves, and into which another one arrives, while the user's is both.
struct in_place_staging {
  /// For `block`. Local.
  explicit in_place_staging(partitioned_buffer const& block);

  std::shared_ptr<std::byte[]> out, in;
  partitioned_buffer leaving, arriving; ///< there, of as many bytes in as many partitions
};

/// Both ends of `block`: a partition that is ready is packed and leaves by `out`, and what has come
/// by `in` takes its place from then on. The ends are those of `staging`. Local.
std::unique_ptr<part> make_in_place_block(partitioned_buffer const& block,
                                          in_place_staging const& staging,
                                          std::unique_ptr<part> out, std::unique_ptr<part> in);

} // namespace seam
