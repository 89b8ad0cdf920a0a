#include <seam/exchange/partitioned/wire.hpp>

#include <seam/exchange/schedule/pack.hpp>

#include <algorithm>

namespace seam::detail {

partition_wire::partition_wire(partitioned_buffer const& buffer, std::byte* elsewhere)
    : buffer_(buffer),
      partition_bytes_(wire_bytes({buffer.data, buffer.count, buffer.type})),
      data_(static_cast<std::byte*>(const_cast<void*>(buffer.data))) {
  if (bytes() == 0 || (elsewhere == nullptr && is_dense(buffer.type)))
    return;
  for (int p = 0; p < buffer.partitions; ++p)
    partition2blocks_.push_back(blocks_of(buffer.partition(p)));
  if (elsewhere == nullptr)
    staging_ = std::make_unique_for_overwrite<std::byte[]>(bytes());
  data_ = elsewhere != nullptr ? elsewhere : staging_.get();
}

void partition_wire::pack(int first, int last) const {
  if (is_direct())
    return;
  for (int p = first; p < last; ++p)
    pack_to(p, data_ + p * partition_bytes_);
}

void partition_wire::unpack(int partition) const {
  if (!is_direct())
    unpack_from(partition, data_ + partition * partition_bytes_);
}

void partition_wire::pack_to(int partition, std::byte* to) const {
  if (is_direct())
    std::copy_n(data_ + partition * partition_bytes_, partition_bytes_, to);
  else
    for (block const& source : partition2blocks_[partition])
      to = detail::pack(source, to);
}

void partition_wire::unpack_from(int partition, std::byte const* from) const {
  if (is_direct())
    std::copy_n(from, partition_bytes_, data_ + partition * partition_bytes_);
  else
    for (block const& target : partition2blocks_[partition])
      from = detail::unpack(from, target);
}

partition_wire::partition_range partition_wire::partitions_in(std::int64_t begin,
                                                              std::int64_t end) const noexcept {
  if (begin >= end)
    return {0, 0};
  return {static_cast<int>(begin / partition_bytes_),
          static_cast<int>((end - 1) / partition_bytes_) + 1};
}

} // namespace seam::detail
