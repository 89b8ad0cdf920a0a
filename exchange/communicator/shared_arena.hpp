/// The shared memory of a node's processes, and how they name places in it to each other.
///
/// It consists of segments, each an MPI window to which every process contributes a part. A process
/// gives its own parts out and takes them back on its own, at its own times; only for more memory
/// must all come together. Segments last until MPI ends, whose first act is to free them.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace seam {

/// A place in shared memory, the same for all processes that share it. Plain numbers.
struct shared_place {
  std::int64_t segment = 0;
  std::int64_t owner = 0;  ///< whose part of the segment, as a rank of MPI_COMM_WORLD
  std::int64_t offset = 0; ///< in that part [bytes]
};

/// The memory that one set of processes shares. Threads: allocate() by one at a time for each
/// communicator that it is given.
class shared_arena {
public:
  /// The arena of `processes`, the only one that these have. Ranks ascend with those of
  /// MPI_COMM_WORLD, which are `world_ranks`. Collective: over `processes`.
  static std::shared_ptr<shared_arena> of(mpi::comm processes, std::vector<int> world_ranks);

  mpi::comm_view comm() const noexcept { return processes_; }

  /// The rank in MPI_COMM_WORLD of rank `local` of comm(). Local.
  int world_rank(int local) const { return world_ranks_[static_cast<std::size_t>(local)]; }

  /// `bytes` of this process's parts, aligned to cache lines, which others can reach; nullptr on
  /// all processes if there is no room for what they want. May be freed at any time, by any thread.
  ///
  /// @param by  the processes of comm() in their order; one of the caller's own lets several
  ///            threads allocate at once
  /// Collective: over `by`; `bytes` may differ.
  std::shared_ptr<std::byte> allocate(std::int64_t bytes, mpi::comm_view by);
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) { return allocate(bytes, comm()); }

  /// The same of what is there already; nullptr if it is not. Local, any thread.
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

/// `bytes` of this process's parts that `reader` can reach, whatever set of processes they are
/// shared by; nullptr if there are none. As shared_arena::take().
std::shared_ptr<std::byte> take_shared_with(int reader, std::int64_t bytes);

/// The name of the `bytes` at `first`, if they lie in a part of this process in one segment that
/// the process `reader`, a rank of MPI_COMM_WORLD, shares. Local, any thread.
std::optional<shared_place> place_of(std::byte const* first, std::int64_t bytes, int reader);

/// Where this process finds a place that another process has named to it. Local, any thread.
std::byte* address_of(shared_place const& place);

/// Where this process finds what each process of `by` gives, the `bytes` at `first` of its own
/// parts. [processes] When it returns everybody has called. Collective: over `by`, processes that
/// share memory.
std::vector<std::byte*> addresses_of_all(mpi::comm_view by, std::byte const* first,
                                         std::int64_t bytes);

/// Lets go of `memory` once `is_done` says that no other process uses it, which is asked here and
/// when others come here. Threads: any.
void free_when(std::shared_ptr<std::byte> memory, std::function<bool()> is_done);

} // namespace seam
