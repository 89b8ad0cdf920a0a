/// Shared arenas: the memory that processes of a node share, and names of places in it.
///
///     segment     | part of rank 0 | part of rank 1 | ... |     an MPI window
///     place       segment, owner of the part, offset in it      the same on all processes
///
/// An arena consists of segments, to which every process contributes a part. A process allocates
/// and frees memory only in its own parts, at any time; only new segments are made by all
/// processes together. Segments last until MPI_Finalize, which frees them first.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace seam::detail {

/// A place in shared memory, the same for all processes that share it. Plain numbers.
struct shared_place {
  std::int64_t segment = 0;
  std::int64_t owner = 0;  ///< the process whose part it lies in, as a rank of MPI_COMM_WORLD
  std::int64_t offset = 0; ///< in that part [bytes]
};

/// Memory of a process, and that of the others that it has met.
struct met_memory {
  std::shared_ptr<std::byte> own; ///< nullptr on all processes if memory is short
  std::vector<std::byte*> all;    ///< [processes] the memory of each, as this process finds it
};

/// The memory that one set of processes shares.
/// Threads: allocate() by one thread at a time for each communicator that it is given.
class shared_arena {
public:
  /// The only arena of `processes`. Their ranks ascend with those of MPI_COMM_WORLD, which are
  /// `world_ranks`.
  /// Collective: over `processes`.
  static std::shared_ptr<shared_arena> of(mpi::comm processes, std::vector<int> world_ranks);

  mpi::comm_view comm() const noexcept { return processes_; }

  /// The rank in MPI_COMM_WORLD of rank `local` of comm(). Local.
  int world_rank(int local) const { return world_ranks_[local]; }

  /// Allocates `bytes` of this process's parts, aligned to cache lines, which the other processes
  /// can reach; nullptr on all processes if memory is short. Any thread may free it at any time.
  ///
  /// @param by  the processes of comm() in their order; several threads may allocate at once, each
  ///            with a communicator of its own
  /// Collective: over `by`; `bytes` may differ.
  std::shared_ptr<std::byte> allocate(std::int64_t bytes, mpi::comm_view by);
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) { return allocate(bytes, comm()); }

  /// Allocates `bytes` as allocate() does, and finds what each other process has allocated in the
  /// same call. All have written to their memory by then.
  ///
  /// @param write  writes to the own memory; not called if memory is short
  /// Collective: over `by`; `bytes` may differ.
  met_memory meet(std::int64_t bytes, mpi::comm_view by,
                  std::function<void(std::byte* own)> const& write);

  /// Allocates `bytes` of existing segments; nullptr if these have not enough. Local, any thread.
  std::shared_ptr<std::byte> take(std::int64_t bytes) const;

  shared_arena(mpi::comm processes, std::vector<int> world_ranks)
      : processes_(std::move(processes)), world_ranks_(std::move(world_ranks)) {}

private:
  std::optional<std::byte*> grow(std::int64_t bytes, mpi::comm_view by);

  mpi::comm processes_;
  std::vector<int> world_ranks_;
};

/// True if this process shares some of this memory with the process `reader`, a rank of
/// MPI_COMM_WORLD. Local, any thread.
bool is_shared_with(int reader);

/// Allocates `bytes` of this process's parts in any arena that the process `reader` shares; nullptr
/// if these have not enough. Local, any thread.
std::shared_ptr<std::byte> take_shared_with(int reader, std::int64_t bytes);

/// The name of the `bytes` at `first`, if they lie in a part of this process in one segment that
/// the process `reader`, a rank of MPI_COMM_WORLD, shares. Local, any thread.
std::optional<shared_place> place_of(std::byte const* first, std::int64_t bytes, int reader);

/// The address, in this process, of a place that another process has named. Local, any thread.
std::byte* address_of(shared_place const& place);

/// Frees `memory` once is_done() says that no other process uses it. is_done() is called here, and
/// in later calls of free_when().
/// Threads: any.
void free_when(std::shared_ptr<std::byte> memory, std::function<bool()> is_done);

} // namespace seam::detail
