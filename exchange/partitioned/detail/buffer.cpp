#include <seam/exchange/partitioned/detail/buffer.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

elements partitioned_buffer::partition(int p) const {
  auto const* const first = static_cast<std::byte const*>(data);
  return {count == 0 ? first : first + p * count * extent_of(type), count, type};
}

int partition_counts::of(int edge) const {
  if (!is_list_)
    return of_each_;
  if (edge >= std::ssize(of_blocks_))
    refuse(fmt::format("partitions: {} numbers, and none for the block of edge {} (expected one "
                       "for each)",
                       of_blocks_.size(), edge));
  return of_blocks_[edge];
}

namespace {

/// True if elements of `type` begin at their address. Otherwise a null pointer may be the address,
/// as with MPI_BOTTOM.
bool begins_at_address(MPI_Datatype type) {
  MPI_Aint begin = 0, extent = 0;
  mpi::check(MPI_Type_get_true_extent(type, &begin, &extent), "MPI_Type_get_true_extent");
  return begin == 0;
}

} // namespace

void check_buffer(char const* call, partitioned_buffer const& buffer) {
  if (buffer.partitions < 0 || buffer.count < 0)
    refuse(buffer.count < 0 ? MPI_ERR_COUNT : MPI_ERR_ARG,
           fmt::format("{}: {} partitions of {} elements (expected 0 or more of each)", call,
                       buffer.partitions, buffer.count));
  if (buffer.data == nullptr && wire_bytes(buffer.all()) > 0 && begins_at_address(buffer.type))
    refuse(MPI_ERR_BUFFER, fmt::format("{}: a null pointer to {} partitions of {} elements "
                                       "(expected their address)",
                                       call, buffer.partitions, buffer.count));
}

partitioned_buffer in_partitions(elements const& whole, int partitions) {
  if (partitions < 1 || whole.count % partitions != 0)
    refuse(fmt::format("partitions: {} elements in {} partitions (expected as many in each)",
                       whole.count, partitions));
  return {whole.data, partitions, whole.count / partitions, whole.type};
}

} // namespace seam
