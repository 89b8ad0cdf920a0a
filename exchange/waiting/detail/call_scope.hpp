/// Calls: records of the calls that threads of this process make together with other processes, so
/// that a stall can be explained (stall.hpp): which call a thread is in, how often all processes of
/// a communicator have called, and whether the thread waits.
///
///     call_scope const here("make_halo");                 // the name that users know
///     call_scope const step("allreduce", over.calls());   // one call of all processes of `over`
///
/// The outermost scope of a thread names its call; the innermost scope that counts names the call
/// that it waits for, and its communicator. Records have ids on which all processes agree without a
/// message: processes make the communicators that they have in common, and the operations on them,
/// in one order.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/rank_set.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// A bit that the ids of records of peers have, and no others.
constexpr std::uint64_t mark_of_peers = std::uint64_t{1} << 63;
constexpr bool is_of_peers(std::uint64_t id) noexcept { return (id & mark_of_peers) != 0; }

/// Counts the calls that the processes of one communicator have made together, or the starts of one
/// operation that is kept on it.
class call_record {
public:
  /// The record that is kept with `over`, made at the first call.
  /// Collective: over `over`, the first time, in the order of the communicators of these processes.
  /// Cost: no message.
  static std::shared_ptr<call_record> of(mpi::comm_view over);

  /// A new record of one call that the processes of `group` make together; alone() if no process
  /// can be asked. Collective: over the group, in the order of their communicators and such records.
  /// Cost: no message.
  static std::shared_ptr<call_record> of_group(MPI_Group group);

  /// A record of waits for messages of one of `peers`, ranks of `over`, on the other side if it is
  /// bipartite: they are asked what they do, not how often they have called. unknown() if no peer is
  /// another process of MPI_COMM_WORLD, or none can be asked. Local, any thread.
  static std::shared_ptr<call_record> of_peers(mpi::comm_view over, std::span<int const> peers);

  /// Keeps `record` with `with`, which has none. Local.
  static void keep(std::shared_ptr<call_record> const& record, mpi::comm_view with);

  /// A new record of calls about which no other process can be asked, but which two threads must
  /// not make at a time. Local.
  static std::shared_ptr<call_record> alone();

  /// The record of calls of any threads, about which no other process can be asked; a scope around
  /// them counts. Local.
  static std::shared_ptr<call_record> const& unknown();

  /// Makes the record of the next persistent operation on the communicator of this record.
  /// Collective: over this communicator, in the order of its operations.
  std::shared_ptr<call_record> begin_part();

  /// @param world_ranks  of all that count there, or of the peers, ascending
  call_record(std::uint64_t id, std::shared_ptr<rank_set const> world_ranks);
  call_record(call_record const&) = delete;
  call_record& operator=(call_record const&) = delete;
  ~call_record();

  /// The id, which is the same on all processes; 0 if no other process can be asked.
  std::uint64_t id() const noexcept { return id_; }

  /// The processes as ranks of MPI_COMM_WORLD.
  std::shared_ptr<rank_set const> const& world_ranks() const noexcept { return world_ranks_; }

  std::int64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
  friend class call_scope;

  /// A new record of calls of `world_ranks`; alone() if there are none.
  static std::shared_ptr<call_record> of_processes(rank_set const& world_ranks);

  /// Counts one more call and returns its number, from 1 on. One thread at a time.
  std::int64_t add() noexcept {
    std::int64_t const number = count() + 1;
    count_.store(number, std::memory_order_relaxed);
    return number;
  }

  std::uint64_t id_;
  bool is_of_any_threads_ = false; ///< unknown()
  std::shared_ptr<rank_set const> world_ranks_;
  std::atomic<std::int64_t> count_ = 0;
  std::uint64_t num_parts_ = 0;
  std::atomic<struct thread_calls*> caller_ = nullptr; ///< in checked mode, while it is in a call
};

/// What the watch (watch.hpp) has seen of a thread's calls.
struct seen_calls {
  std::uint32_t num_calls = 0, wait = 0;
  std::chrono::steady_clock::time_point begin, due; ///< of the wait, and of its report
};

/// The calls of one thread of this process. Written by it, read by any thread.
struct thread_calls {
  std::atomic<char const*> name = nullptr; ///< of the outermost call; lives as long as the program
  std::atomic<std::uint64_t> id = 0;       ///< of the record of the innermost call that counts
  std::atomic<std::int64_t> number = 0;    ///< of that call in its record
  std::atomic<char const*> last = nullptr; ///< the outermost call before, or the one under way
  std::atomic<std::uint32_t> num_calls = 0;
  std::atomic<std::uint32_t> wait = 0;      ///< number of waits begun and ended: odd while it waits
  std::atomic<bool> text_is_wanted = false; ///< the wait has to tell what is missing
  std::atomic<int> num_watches = 0;         ///< objects of stall_watch, which tell it

  std::mutex text_mutex;
  std::string text; ///< what is missing

  seen_calls seen; ///< the watch's own

  bool waits() const noexcept { return wait.load(std::memory_order_acquire) % 2 != 0; }
  void take_text(std::string what);
};

constinit inline thread_local thread_calls* calls_of_thread = nullptr;
thread_calls& enlist_thread();

/// The calls of the calling thread.
inline thread_calls& calls_of_this_thread() {
  thread_calls* const listed = calls_of_thread;
  return listed != nullptr ? *listed : enlist_thread();
}

/// Writes the calls of all threads of this process that have called seam and go on to `into`, which
/// keeps its memory: enough of it for many threads from the first call on.
/// Threads: any.
void list_threads(std::vector<std::shared_ptr<thread_calls>>& into);

/// A call of seam while its thread is in it.
/// Cost: no clock reading, no memory, no message.
class call_scope {
public:
  /// Names the call of the user, unless a scope around it does.
  /// @param name  lives as long as the program
  /// @throws usage_error  the Runtime has ended. Local
  explicit call_scope(char const* name);

  /// One more call that all processes of `on` make together.
  /// @throws usage_error  also in checked mode if another thread is in such a call. Local
  call_scope(char const* name, call_record& on);
  call_scope(char const* name, mpi::comm_view on);

  /// A wait for call `number` of `on`. Local.
  call_scope(char const* name, call_record const& on, std::int64_t number);

  call_scope(call_scope const&) = delete;
  call_scope& operator=(call_scope const&) = delete;
  ~call_scope();

  /// The number of the innermost call that counts.
  std::int64_t number() const noexcept { return calls_.number.load(std::memory_order_relaxed); }

private:
  void enter(char const* name);
  void count(char const* name, call_record& on);
  void occupy(char const* name, call_record& on);

  thread_calls& calls_;
  char const* outer_name_;
  std::uint64_t outer_id_;
  std::int64_t outer_number_;
  call_record* occupied_ = nullptr;
};

/// A wait of the calling thread, noted for reports of stalls.
class wait_scope {
public:
  wait_scope() noexcept : is_outermost_(begin()) {}
  wait_scope(wait_scope const&) = delete;
  wait_scope& operator=(wait_scope const&) = delete;
  ~wait_scope() {
    if (is_outermost_)
      end();
  }

  /// False if the thread waits already.
  static bool begin() noexcept;
  static void end() noexcept;

private:
  bool is_outermost_;
};

/// A blocking call of the MPI library that processes make together: counts on their record, and is a
/// wait.
///
///     blocking_call const now(over, "MPI_Win_create");
///     check(MPI_Win_create(...), "MPI_Win_create");
///
/// Local.
class blocking_call {
public:
  /// @param name  lives as long as the program
  blocking_call(mpi::comm_view over, char const* name) : here_(name, over) {}
  blocking_call(std::shared_ptr<call_record> on, char const* name)
      : record_(std::move(on)), here_(name, *record_) {}

private:
  std::shared_ptr<call_record> record_;
  call_scope here_;
  wait_scope waiting_;
};

/// `text` as a name that lives as long as the program; the same text is kept once. Local, any
/// thread.
char const* lasting_name(std::string_view text);

/// How often this process has called on the record `id`, even if the record is gone since.
/// Threads: any.
std::int64_t count_of_calls(std::uint64_t id);

/// The processes of the record `id`, or nullptr.
/// Threads: any.
std::shared_ptr<rank_set const> processes_of_calls(std::uint64_t id);

/// True after the end of the Runtime, or of MPI: from then on calls are refused.
/// Threads: any.
bool seam_has_ended() noexcept;
void set_seam_has_ended(bool ended) noexcept;

/// @throws usage_error  "field 'u': touched after the Runtime ...", if it has ended
inline void check_touch(std::string const& field);

/// @throws usage_error  "what: touched after the Runtime has ended (expected ...)", if it has
void require_running(std::string_view what, std::string_view done);

[[noreturn]] void refuse_touch(std::string const& field);

inline void check_touch(std::string const& field) {
  if (seam_has_ended()) [[unlikely]]
    refuse_touch(field);
}

} // namespace seam::detail
