/// What all ranks of a context do together to set something up: short schedules of messages between
/// endpoints, whatever processes they belong to. Values travel as bytes.
///
/// Each call waits; its messages have tags of their own, which receives of users never match.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace seam::detail {

/// Tags of set-up messages.
enum set_up_tag : int {
  tag_of_barriers = -2,
  tag_of_broadcasts = -3,
  tag_of_reductions = -4,
  tag_of_gathers = -5,
  tag_of_alltoalls = -6,
  tag_of_scans = -7,
  tag_of_numbers = -8,
  tag_of_pending_barriers = -9,
  tag_of_scatters = -10,
  tag_of_parts = -16 ///< and below
};

/// Sends `bytes` and waits; receives exactly as many bytes and waits.
/// @throws mpi_error  with MPI_ERR_TRUNCATE: the message is of another length
void send(mpi::context& over, std::span<std::byte const> bytes, int to, int tag);
void receive(mpi::context& over, std::span<std::byte> into, int from, int tag);

/// Returns when `message` is done.
void wait_for(mpi::context& over, mpi::transfer& message);

/// Returns when all ranks have called.
/// Collective: over `over` (also the next).
/// Cost: as many rounds as the logarithm of the number of ranks.
void barrier(mpi::context& over);

/// A nonblocking barrier. All ranks start the barriers of a context in the same order.
class pending_barrier {
public:
  explicit pending_barrier(mpi::context& over) : over_(over) {}
  pending_barrier(pending_barrier const&) = delete;
  pending_barrier& operator=(pending_barrier const&) = delete;

  /// Local.
  void start();

  /// True once all ranks have started. Never blocks.
  bool test();

private:
  void begin_round();

  mpi::context& over_;
  mpi::transfer sending_, receiving_;
  int step_ = 0; ///< of the round under way; 0: not started
};

/// Copies the root's bytes to all ranks. [same length on all ranks]
void bcast(mpi::context& over, std::span<std::byte> bytes, int root);

/// Combines `count` elements of all ranks, in the order of the ranks: the same bits on all.
void allreduce(mpi::context& over, void* values, int count, MPI_Datatype type, MPI_Op op);

/// Combines the elements of the ranks below this one; leaves those of rank 0 as they are.
void exscan(mpi::context& over, void* values, int count, MPI_Datatype type, MPI_Op op);

/// The bytes of all ranks, contiguous, on all ranks. [own.size() * size of `over`]
void allgather(mpi::context& over, std::span<std::byte const> own, std::span<std::byte> all);

/// The bytes of rank r at lengths[0] + ... + lengths[r - 1] on the root.
/// @param lengths  on root: [size of `over`]
void gather(mpi::context& over, std::span<std::byte const> own, std::span<std::byte> all,
            std::span<std::int64_t const> lengths, int root);

/// Block r of the root's bytes on rank r. [own.size() * size of `over` on root]
void scatter(mpi::context& over, std::span<std::byte const> all, std::span<std::byte> own,
             int root);

/// Sends block r of `sent` to rank r, and puts its block for this rank into block r of `received`.
void alltoall(mpi::context& over, std::span<std::byte const> sent, std::span<std::byte> received);

/// The value of each rank. [size of `over`]
template <class T>
std::vector<T> allgather_values(mpi::context& over, T const& own) {
  static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
  std::vector<T> all(over.size());
  allgather(over, std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

} // namespace seam::detail
