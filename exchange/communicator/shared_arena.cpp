#include <seam/exchange/communicator/shared_arena.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>

namespace seam::detail {
namespace {

constexpr std::int64_t granule = 128;                      ///< two lines that are fetched together
constexpr std::int64_t least_part = std::int64_t{1} << 20; ///< of a process that needs more
constexpr std::int64_t large = std::int64_t{1} << 20;      ///< such memory returns to the system

std::int64_t rounded(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// A window, and the free holes in this process's part of it.
struct segment {
  shared_arena const* arena;
  std::int64_t id;
  std::vector<int> world_ranks;  ///< ascending
  std::vector<std::byte*> parts; ///< of each process
  std::byte* own;
  std::int64_t bytes; ///< of the own part
  mpi::win window;
  std::map<std::int64_t, std::int64_t> holes; ///< bytes by offset; never two side by side

  bool is_shared_with(int world_rank) const {
    return std::ranges::binary_search(world_ranks, world_rank);
  }
  bool holds(std::byte const* at) const { return own <= at && at < own + bytes; }

  std::byte* take(std::int64_t wanted) {
    auto const fits = [&](auto const& hole) { return hole.second >= wanted; };
    auto const found = std::ranges::find_if(holes, fits);
    if (found == holes.end())
      return nullptr;
    auto const [offset, room] = *found;
    holes.erase(found);
    if (room > wanted)
      holes[offset + wanted] = room - wanted;
    return own + offset;
  }

  void give_back(std::byte* memory, std::int64_t length) {
    std::int64_t offset = memory - own;
    auto const behind = holes.find(offset + length);
    if (behind != holes.end()) {
      length += behind->second;
      holes.erase(behind);
    }
    auto const next = holes.lower_bound(offset);
    if (next != holes.begin()) {
      auto const before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += length;
        return;
      }
    }
    holes[offset] = length;
  }
};

/// Returns the whole pages of large memory to the system; they are zero when next touched.
void return_pages(std::byte* memory, std::int64_t bytes) {
  if (bytes < large)
    return;
  static std::int64_t const page = sysconf(_SC_PAGESIZE);
  auto const first = rounded(reinterpret_cast<std::intptr_t>(memory), page);
  auto const last = (reinterpret_cast<std::intptr_t>(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_REMOVE);
}

/// All segments and arenas of this process.
class store {
public:
  static store& get() {
    static auto* const all = new store; // outlives everything that is allocated here
    return *all;
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<segment>> segments; ///< in the order of creation
  std::vector<std::shared_ptr<shared_arena>> arenas;
  std::atomic<std::int64_t> num_led = 0; ///< segments that this process has named

  /// Takes memory of the first segment for which is_right() holds and that has enough.
  template <class IsRight>
  std::byte* take(std::int64_t bytes, IsRight is_right) {
    std::lock_guard const lock(mutex);
    for (auto const& shared : segments)
      if (is_right(*shared))
        if (std::byte* const found = shared->take(bytes))
          return found;
    return nullptr;
  }

  void give_back(std::byte* memory, std::int64_t bytes) {
    std::lock_guard const lock(mutex);
    for (auto const& shared : segments)
      if (shared->holds(memory)) {
        return_pages(memory, bytes);
        return shared->give_back(memory, bytes);
      }
  }

  bool is_closed() {
    std::lock_guard const lock(mutex);
    return segments.empty();
  }

  /// Frees all segments, in an order that is the same on all processes. MPI_Finalize calls it.
  void close() {
    std::lock_guard const lock(mutex);
    std::ranges::sort(segments, {}, [](auto const& shared) { return shared->id; });
    for (auto const& shared : segments) {
      MPI_Win_unlock_all(shared->window.native());
      shared->window = {};
    }
    segments.clear();
    arenas.clear();
  }

private:
  store() {
    mpi::before_end([] { get().close(); });
  }
};

/// True if the file system in which MPI libraries put shared memory has enough left. The system
/// takes memory when it is first touched, which is too late for an error.
bool has_shared_memory_left(std::int64_t bytes) {
  struct statvfs disk;
  if (statvfs("/dev/shm", &disk) != 0)
    return false;
  auto const free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  constexpr double usable = 0.75;
  return static_cast<double>(bytes) < usable * free;
}

mpi::win make_window(mpi::comm_view over, std::int64_t bytes) {
  mpi::win window;
  void* own = nullptr;
  blocking_call const now(over, "MPI_Win_allocate_shared");
  mpi::check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, mpi::parts_apart().native(),
                                     over.native(), static_cast<void*>(&own), window.receive()),
             "MPI_Win_allocate_shared");
  mpi::check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window.native()), "MPI_Win_lock_all");
  return window;
}

/// The address, in this process, of the part of `rank` from its first whole granule on.
std::byte* part_of(mpi::win const& window, int rank) {
  MPI_Aint bytes = 0;
  int unit = 1;
  void* first = nullptr;
  mpi::check(MPI_Win_shared_query(window.native(), rank, &bytes, &unit, static_cast<void*>(&first)),
             "MPI_Win_shared_query");
  return reinterpret_cast<std::byte*>(rounded(reinterpret_cast<std::intptr_t>(first), granule));
}

std::int64_t in_granules(std::int64_t bytes) {
  return rounded(std::max<std::int64_t>(bytes, 1), granule);
}

std::shared_ptr<std::byte> to_be_given_back(std::byte* memory, std::int64_t bytes) {
  return {memory, [bytes](std::byte* own) { store::get().give_back(own, bytes); }};
}

/// Does as shared_arena::take() with all segments for which is_right() holds.
template <class IsRight>
std::shared_ptr<std::byte> take_from(IsRight is_right, std::int64_t bytes) {
  bytes = in_granules(bytes);
  std::byte* const memory = store::get().take(bytes, is_right);
  return memory == nullptr ? nullptr : to_be_given_back(memory, bytes);
}

} // namespace

std::shared_ptr<shared_arena> shared_arena::of(mpi::comm processes, std::vector<int> world_ranks) {
  store& all = store::get();
  std::lock_guard const lock(all.mutex);
  for (auto const& arena : all.arenas)
    if (arena->world_ranks_ == world_ranks)
      return arena;
  return all.arenas.emplace_back(std::make_shared<shared_arena>(std::move(processes),
                                                                std::move(world_ranks)));
}

std::shared_ptr<std::byte> shared_arena::take(std::int64_t bytes) const {
  return take_from([this](segment const& shared) { return shared.arena == this; }, bytes);
}

std::shared_ptr<std::byte> shared_arena::allocate(std::int64_t bytes, mpi::comm_view by) {
  bytes = in_granules(bytes);
  store& all = store::get();
  std::byte* memory =
      all.take(bytes, [this](segment const& shared) { return shared.arena == this; });
  auto const is_there = [&] { return memory != nullptr ? 1 : 0; };
  if (mpi::allreduce(by, is_there(), MPI_MIN) == 0) {
    auto const grown = grow(memory != nullptr ? 0 : bytes, by);
    if (!grown && memory != nullptr)
      all.give_back(memory, bytes);
    if (!grown)
      return nullptr;
    if (memory == nullptr)
      memory = *grown;
  }
  return to_be_given_back(memory, bytes);
}

/// Adds a segment with at least `bytes` for this process, and takes them: nullptr for no bytes.
/// Returns nothing if memory is short.
std::optional<std::byte*> shared_arena::grow(std::int64_t bytes, mpi::comm_view by) {
  std::int64_t const part = bytes == 0 ? 0 : std::max(bytes, least_part);
  std::int64_t const total = mpi::allreduce(by, part + granule, MPI_SUM);
  store& all = store::get();
  std::array<std::int64_t, 2> name{};
  if (by.rank() == 0 && has_shared_memory_left(total))
    name = {1, std::int64_t{world_ranks_.front()} << 32 | all.num_led++};
  mpi::bcast(by, std::span<std::int64_t>(name), 0);
  auto const [has_room, id] = name;
  if (has_room == 0)
    return std::nullopt;
  auto made = std::make_unique<segment>(segment{.arena = this,
                                                .id = id,
                                                .world_ranks = world_ranks_,
                                                .parts = {},
                                                .own = nullptr,
                                                .bytes = part,
                                                .window = make_window(by, part + granule),
                                                .holes = {}});
  for (int rank = 0; rank < by.size(); ++rank)
    made->parts.push_back(part_of(made->window, rank));
  made->own = made->parts[by.rank()];
  if (part > 0)
    made->holes[0] = part;
  std::byte* const taken = bytes == 0 ? nullptr : made->take(bytes);
  std::lock_guard const lock(all.mutex);
  all.segments.push_back(std::move(made));
  return taken;
}

met_memory shared_arena::meet(std::int64_t bytes, mpi::comm_view by,
                              std::function<void(std::byte*)> const& write) {
  met_memory met{allocate(bytes, by), {}};
  if (met.own == nullptr)
    return met;
  write(met.own.get());
  int const self = mpi::comm_view(MPI_COMM_WORLD).rank();
  for (shared_place const& place : mpi::allgather(by, *place_of(met.own.get(), bytes, self)))
    met.all.push_back(address_of(place));
  return met;
}

bool is_shared_with(int reader) {
  store& all = store::get();
  std::lock_guard const lock(all.mutex);
  return std::ranges::any_of(all.segments,
                             [&](auto const& shared) { return shared->is_shared_with(reader); });
}

std::shared_ptr<std::byte> take_shared_with(int reader, std::int64_t bytes) {
  return take_from([reader](segment const& shared) { return shared.is_shared_with(reader); },
                   bytes);
}

std::optional<shared_place> place_of(std::byte const* first, std::int64_t bytes, int reader) {
  store& all = store::get();
  std::lock_guard const lock(all.mutex);
  for (auto const& shared : all.segments)
    if (shared->holds(first) && first + bytes <= shared->own + shared->bytes &&
        shared->is_shared_with(reader)) {
      auto const self = std::ranges::find(shared->parts, shared->own) - shared->parts.begin();
      return shared_place{shared->id, shared->world_ranks[self], first - shared->own};
    }
  return std::nullopt;
}

std::byte* address_of(shared_place const& place) {
  store& all = store::get();
  std::lock_guard const lock(all.mutex);
  auto const found = std::ranges::find(all.segments, place.segment, &segment::id);
  SEAM_ASSERT(found != all.segments.end(), "a segment that this process does not share");
  auto const& ranks = (*found)->world_ranks;
  auto const owner = std::ranges::lower_bound(ranks, place.owner) - ranks.begin();
  return (*found)->parts[owner] + place.offset;
}

void free_when(std::shared_ptr<std::byte> memory, std::function<bool()> is_done) {
  struct kept {
    std::shared_ptr<std::byte> memory;
    std::function<bool()> is_done;
  };
  if (!mpi::is_running() || store::get().is_closed())
    return; // no memory is left
  static std::mutex mutex;
  static auto* const all = new std::vector<kept>; // never destroyed
  std::scoped_lock const lock(mutex);
  std::erase_if(*all, [](kept const& entry) { return entry.is_done(); });
  if (!is_done())
    all->push_back({std::move(memory), std::move(is_done)});
}

} // namespace seam::detail
