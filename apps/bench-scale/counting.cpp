#include "counting.hpp"

#include <atomic>
#include <bit>

namespace scale_bench {
namespace {

std::atomic<std::int64_t> num_sends = 0, num_collectives = 0, num_messages = 0, num_bytes = 0;

std::uint32_t size_of(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  return static_cast<std::uint32_t>(size);
}

/// The levels of a tree of processes.
std::int64_t depth_of(std::uint32_t size) { return std::bit_width(size - 1); }

void count_collective(std::int64_t messages, std::int64_t bytes) {
  ++num_collectives;
  num_messages += messages;
  num_bytes += bytes;
}

} // namespace

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return std::int64_t{count} * size;
}

void count_send(std::int64_t bytes) {
  ++num_sends;
  ++num_messages;
  num_bytes += bytes;
}

void count_tree(MPI_Comm comm, std::int64_t bytes) {
  std::int64_t const depth = depth_of(size_of(comm));
  count_collective(depth, depth * bytes);
}

void count_reduction(MPI_Comm comm, std::int64_t bytes) {
  constexpr std::int64_t least_divided = 10'000; // where Open MPI leaves the tree
  auto const size = std::int64_t{size_of(comm)};
  std::int64_t const depth = depth_of(size_of(comm));
  if (bytes < least_divided || size <= 2)
    return count_tree(comm, bytes);
  count_collective(2 * depth, 2 * bytes * (size - 1) / size);
}

void count_gathering(MPI_Comm comm, std::int64_t bytes) {
  auto const size = size_of(comm);
  count_collective(depth_of(size), bytes * (std::int64_t{size} - 1));
}

void count_gathering_to_one(MPI_Comm comm, std::int64_t bytes) {
  auto const size = size_of(comm);
  count_collective(depth_of(size), bytes * (std::int64_t{size} / 2)); // of the root's last child
}

void count_lists_to_one(std::int64_t bytes) { count_collective(1, bytes); }

mpi_calls calls_until_now() noexcept {
  return {num_sends, num_collectives, num_messages, num_bytes};
}

} // namespace scale_bench
