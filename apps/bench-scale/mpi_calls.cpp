// The functions of MPI that seam and HDF5 call, and nonblocking forms of them. Each counts and calls the
// library's own function by its second name.
#include "mpi_calls.hpp"

#include <mpi.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_map>

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

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return std::int64_t{count} * size;
}

/// Counts a message of one process to another.
void count_send(std::int64_t bytes) {
  ++num_sends;
  ++num_messages;
  num_bytes += bytes;
}

/// Counts a collective call that combines or spreads one value of `bytes`.
void count_tree(MPI_Comm comm, std::int64_t bytes) {
  std::int64_t const depth = depth_of(size_of(comm));
  count_collective(depth, depth * bytes);
}

/// Counts a call that combines `bytes` of all processes on all: over a tree, or if they are many, in
/// parts that each process combines and spreads.
void count_reduction(MPI_Comm comm, std::int64_t bytes) {
  constexpr std::int64_t least_divided = 10'000; // where Open MPI leaves the tree
  auto const size = std::int64_t{size_of(comm)};
  std::int64_t const depth = depth_of(size_of(comm));
  if (bytes < least_divided || size <= 2)
    return count_tree(comm, bytes);
  count_collective(2 * depth, 2 * bytes * (size - 1) / size);
}

/// Counts a collective call by which all processes get `bytes` of each, or each gets its own from one.
void count_gathering(MPI_Comm comm, std::int64_t bytes) {
  auto const size = size_of(comm);
  count_collective(depth_of(size), bytes * (std::int64_t{size} - 1));
}

/// Counts a call that brings `bytes` of each process to one, over a tree.
void count_gathering_to_one(MPI_Comm comm, std::int64_t bytes) {
  auto const size = size_of(comm);
  count_collective(depth_of(size), bytes * (std::int64_t{size} / 2)); // of the root's last child
}

/// Counts a call in which each process sends `bytes` of its own to one, which alone knows the lengths.
void count_lists_to_one(std::int64_t bytes) { count_collective(1, bytes); }

constexpr int bytes_of_number = 4;
constexpr int bytes_of_color_and_key = 8;
constexpr int bytes_of_window = 8;

/// Takes memory from malloc, past the counted operator new.
template <class T>
struct uncounted {
  using value_type = T;

  uncounted() = default;
  template <class Other>
  explicit uncounted(uncounted<Other> const&) noexcept {}

  T* allocate(std::size_t count) {
    if (void* const memory = std::malloc(count * sizeof(T))) // NOLINT(bugprone-sizeof-expression)
      return static_cast<T*>(memory);
    throw std::bad_alloc();
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  friend bool operator==(uncounted const&, uncounted const&) noexcept { return true; }
};

/// The bytes of each persistent send, in memory that is not counted: MPI_Start does not say what it
/// starts.
class persistent_sends {
public:
  static persistent_sends& get() {
    static persistent_sends all;
    return all;
  }

  void add(MPI_Request request, std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    bytes_[request] = bytes;
  }
  void remove(MPI_Request request) {
    std::lock_guard const lock(mutex_);
    bytes_.erase(request);
  }

  /// Counts a message if the request is a send.
  void count(MPI_Request request) {
    std::lock_guard const lock(mutex_);
    if (auto const found = bytes_.find(request); found != bytes_.end())
      count_send(found->second);
  }

private:
  std::mutex mutex_;
  std::unordered_map<MPI_Request, std::int64_t, std::hash<MPI_Request>, std::equal_to<MPI_Request>,
                     uncounted<std::pair<MPI_Request const, std::int64_t>>>
      bytes_;
};

} // namespace

scale_bench::mpi_calls scale_bench::calls_until_now() noexcept {
  return {num_sends, num_collectives, num_messages, num_bytes};
}

#define SEAM_PLAIN(...) __VA_ARGS__

/// A function, which calls the library's own by its second name.
#define SEAM_COUNTED(counted, Name, parameters, arguments)                                         \
  int MPI_##Name(SEAM_PLAIN parameters) {                                                          \
    counted;                                                                                       \
    return PMPI_##Name(SEAM_PLAIN arguments);                                                      \
  }

/// Both forms of a function, whose names differ in a letter.
#define SEAM_BOTH_COUNTED(counted, Name, name, parameters, arguments)                              \
  SEAM_COUNTED(counted, Name, parameters, arguments)                                               \
  SEAM_COUNTED(counted, I##name, (SEAM_PLAIN parameters, MPI_Request * request),                   \
               (SEAM_PLAIN arguments, request))

// clang-format off
extern "C" {
SEAM_BOTH_COUNTED(count_tree(comm, 0), Barrier, barrier, (MPI_Comm comm), (comm))
SEAM_BOTH_COUNTED(count_tree(comm, bytes_of(count, type)), Bcast, bcast,
             (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
             (buffer, count, type, root, comm))
SEAM_BOTH_COUNTED(count_reduction(comm, bytes_of(count, type)), Allreduce, allreduce,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))
SEAM_BOTH_COUNTED(count_tree(comm, bytes_of(count, type)), Exscan, exscan,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))
SEAM_BOTH_COUNTED(count_gathering_to_one(comm, bytes_of(count, type)), Gather, gather,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, int root, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, root, comm))
SEAM_BOTH_COUNTED(count_lists_to_one(bytes_of(count, type)), Gatherv, gatherv,
             (void const* from, int count, MPI_Datatype type, void* into, int const counts[],
              int const firsts[], MPI_Datatype into_type, int root, MPI_Comm comm),
             (from, count, type, into, counts, firsts, into_type, root, comm))
SEAM_BOTH_COUNTED(count_gathering(comm, bytes_of(count, type)), Scatter, scatter,
             (void const* from, int from_count, MPI_Datatype from_type, void* into, int count,
              MPI_Datatype type, int root, MPI_Comm comm),
             (from, from_count, from_type, into, count, type, root, comm))
SEAM_BOTH_COUNTED(count_gathering(comm, bytes_of(into_count, into_type)), Allgather, allgather,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, comm))
SEAM_BOTH_COUNTED(count_gathering(comm, bytes_of(into_count, into_type)), Alltoall, alltoall,
             (void const* from, int count, MPI_Datatype type, void* into, int into_count,
              MPI_Datatype into_type, MPI_Comm comm),
             (from, count, type, into, into_count, into_type, comm))
SEAM_BOTH_COUNTED(count_gathering(comm, bytes_of(count, type)), Reduce_scatter_block, reduce_scatter_block,
             (void const* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
             (from, into, count, type, op, comm))

// Communicators and shared windows. A new communicator takes an agreement on its number; one whose
// processes are chosen by color and key takes these of all processes.
SEAM_COUNTED(count_tree(comm, bytes_of_number), Comm_dup,
             (MPI_Comm comm, MPI_Comm* made), (comm, made))
SEAM_COUNTED(count_tree(comm, bytes_of_number), Comm_idup,
             (MPI_Comm comm, MPI_Comm* made, MPI_Request* request),
             (comm, made, request))
SEAM_COUNTED(count_tree(comm, bytes_of_number), Comm_create,
             (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
SEAM_COUNTED(count_tree(comm, bytes_of_number), Comm_create_group,
             (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made))
SEAM_COUNTED(count_gathering(comm, bytes_of_color_and_key), Comm_split,
             (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
SEAM_COUNTED(count_gathering(comm, bytes_of_color_and_key), Comm_split_type,
             (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
             (comm, type, key, info, made))
SEAM_COUNTED(count_tree(comm, bytes_of_number), Dist_graph_create_adjacent,
             (MPI_Comm comm, int num_sources, int const sources[], int const source_weights[],
              int num_destinations, int const destinations[], int const destination_weights[],
              MPI_Info info, int reorder, MPI_Comm* made),
             (comm, num_sources, sources, source_weights, num_destinations, destinations,
              destination_weights, info, reorder, made))
SEAM_COUNTED(count_gathering(comm, bytes_of_window), Win_allocate_shared,
             (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* first, MPI_Win* made),
             (bytes, unit, info, comm, first, made))

// Messages.
SEAM_BOTH_COUNTED(count_send(bytes_of(count, type)), Send, send,
             (void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
             (from, count, type, to, tag, comm))
SEAM_COUNTED(count_send(bytes_of(count, type)), Issend,
             (void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request),
             (from, count, type, to, tag, comm, request))
// clang-format on
int MPI_Send_init(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  int const code = PMPI_Send_init(from, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS)
    persistent_sends::get().add(*request, bytes_of(count, type));
  return code;
}
int MPI_Start(MPI_Request* request) {
  persistent_sends::get().count(*request);
  return PMPI_Start(request);
}
int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    persistent_sends::get().count(requests[i]);
  return PMPI_Startall(count, requests);
}
int MPI_Request_free(MPI_Request* request) {
  persistent_sends::get().remove(*request);
  return PMPI_Request_free(request);
}
}
