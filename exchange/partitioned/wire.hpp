/// The wire of a partitioned buffer: its bytes as they travel, partition after partition.
#pragma once

#include <seam/exchange/partitioned/detail/buffer.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// The wire is the user's memory itself if that is dense, and staging memory if not.
/// Threads: different partitions may be packed and unpacked at the same time.
class partition_wire {
public:
  /// @param elsewhere  memory that is the wire instead, [bytes of `buffer`]; partitions are copied
  ///                   there
  explicit partition_wire(partitioned_buffer const& buffer, std::byte* elsewhere = nullptr);

  std::byte* data() const noexcept { return data_; }
  std::int64_t bytes() const noexcept { return buffer_.partitions * partition_bytes_; }
  std::int64_t partition_bytes() const noexcept { return partition_bytes_; }
  int partitions() const noexcept { return buffer_.partitions; }

  /// True if the wire is the user's memory.
  bool is_direct() const noexcept { return partition2blocks_.empty(); }

  /// Copy partitions from the user's memory to the wire, and back, unless these are the same
  /// memory.
  void pack(int first, int last) const;
  void unpack(int partition) const;

  /// Copy a partition from the user's memory to another place, and back. [partition_bytes()]
  void pack_to(int partition, std::byte* to) const;
  void unpack_from(int partition, std::byte const* from) const;

  /// The partitions that bytes [begin, end) lie in: the first, and the one after the last.
  struct partition_range {
    int first, last;
  };
  partition_range partitions_in(std::int64_t begin, std::int64_t end) const noexcept;

private:
  partitioned_buffer buffer_;
  std::int64_t partition_bytes_;
  std::byte* data_;
  std::vector<std::vector<block>> partition2blocks_; ///< empty: the wire is direct
  std::unique_ptr<std::byte[]> staging_;
};

} // namespace seam::detail
