#include <seam/exchange/partitioned/buffer.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

namespace seam {

elements partitioned_buffer::partition(int p) const {
  auto const* const first = static_cast<std::byte const*>(data);
  return {count == 0 ? first : first + p * count * extent_of(type), count, type};
}

void check_buffer(char const* call, partitioned_buffer const& buffer) {
  if (buffer.partitions < 0 || buffer.count < 0)
    refuse(fmt::format("{}: {} partitions of {} elements (expected 0 or more of each)", call,
                       buffer.partitions, buffer.count));
}

partitioned_buffer in_partitions(elements const& whole, int partitions) {
  if (partitions < 1 || whole.count % partitions != 0)
    refuse(fmt::format("partitions: {} elements in {} partitions (expected as many in each)",
                       whole.count, partitions));
  return {whole.data, partitions, whole.count / partitions, whole.type};
}

} // namespace seam
