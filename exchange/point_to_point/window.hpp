/// Windows: memory that neighbors may read and write, on any topology but a bipartite one.
///
///     window<double> ghosts(graph, 100);          // 100 elements on each process
///     ghosts.fence();
///     ghosts.put(right, 0, values);               // to the neighbor's elements 0, 1, ...
///     ghosts.fence();                             // the values have arrived
///
/// On a graph a process may access the memory of its destinations, and its sources may access its
/// own. A fence there waits only for these neighbors.
/// Source: [Traeff2021] sec. 2.5; between endpoints also [Endpoints2011] sec. 0.0.4.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/mpi/detail/op.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <memory>
#include <optional>
#include <span>

namespace seam {

/// Whether several processes may hold a lock at the same time, or one.
enum class lock_kind { shared, exclusive };

namespace detail {

/// The memory of a rank that others may access.
struct opened_memory {
  std::int64_t length = 0;        ///< [bytes]
  std::int64_t unit = 1;          ///< [bytes] of displacements
  std::optional<void*> data = {}; ///< the caller's memory; none: allocated, all zero
};

/// A window on elements of any type; see window.
class untyped_window {
public:
  /// @param own  with data on all processes, or on none
  untyped_window(Communicator const& over, opened_memory const& own);
  untyped_window(untyped_window&&) noexcept;
  ~untyped_window();

  void* data() const;
  void fence();
  void close_epoch();
  void lock(int target, lock_kind kind);
  void unlock(int target);

  /// @param at     displacement in the target's memory [units]
  /// @param there  count and datatype at the target; its address is not used
  void put(int target, std::int64_t at, elements const& from, elements const& there);
  void get(int target, std::int64_t at, elements const& into, elements const& there);
  void accumulate(int target, std::int64_t at, elements const& from, elements const& there,
                  MPI_Op op);

private:
  struct state;

  /// @param call  begins the error line of a window that has been moved from
  state& opened(char const* call) const;

  std::unique_ptr<state> state_;
};

} // namespace detail

/// Elements of T on every rank of a communicator, which neighbors may access.
///
/// Ranks may be processes or endpoints. Windows of endpoints of one process may overlap; accesses by
/// two of them to one element that conflict leave it undefined ([Endpoints2011] sec. 0.0.4).
///
/// Access takes place in an epoch: between two fences, or while a lock is held. When the epoch has
/// ended, all values have arrived, and buffers may be reused. local() must not be touched while
/// other processes may write to it.
///
/// Threads: one at a time.
template <class T>
class window {
public:
  /// Makes a window with `length` elements on this process, all zero.
  ///
  /// @throws usage_error  on all ranks: `over` is bipartite; a length is negative; `over` has
  ///         processes for ranks, and the MPI library has no windows among these hosts
  /// Collective: over `over`.
  window(Communicator const& over, std::int64_t length)
      : memory_(over, {.length = length * std::int64_t{sizeof(T)}, .unit = sizeof(T)}),
        length_(length) {}

  /// Ends an open epoch and frees the window. Collective: over the communicator.
  ~window() = default;
  window(window&&) noexcept = default;

  /// The elements of this process.
  std::span<T> local() const { return std::span(static_cast<T*>(memory_.data()), length_); }

  /// Ends the open epoch, if there is one, and opens the next.
  ///
  /// Collective: over all processes of a complete communicator; on a graph waits for neighbors.
  void fence() { memory_.fence(); }

  /// Ends the open epoch without a next one. Collective as fence().
  void close_epoch() { memory_.close_epoch(); }

  /// Writes `values` to elements `at`, at + 1, ... of `target`. Local, as get and accumulate.
  ///
  /// @throws usage_error  `target` is no neighbor along an outgoing edge, has fewer elements, or
  ///         is not open: neither fence nor lock before
  void put(int target, std::int64_t at, std::span<T const> values) {
    memory_.put(target, at, elements_of(values), elements_of(values));
  }

  /// Reads elements `at`, at + 1, ... of `target` into `values`.
  void get(int target, std::int64_t at, std::span<T> values) {
    memory_.get(target, at, elements_of(values), elements_of(values));
  }

  /// Combines `values` into elements `at`, at + 1, ... of `target`, each atomically: std::plus and
  /// its like, smaller, larger or an operation of MPI's.
  /// @throws usage_error  also: `how` is none of MPI's, or MPI does not define it for T
  template <class F>
  void accumulate(int target, std::int64_t at, std::span<T const> values, F how) {
    memory_.accumulate(target, at, elements_of(values), elements_of(values), mpi::op_of<T>(how));
  }

  /// A lock on the memory of one process while this object lives. The process that owns the memory
  /// makes no call for it.
  class [[nodiscard]] locked_target {
  public:
    locked_target(locked_target&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)), target_(other.target_) {}
    ~locked_target() {
      if (memory_ != nullptr && std::uncaught_exceptions() == 0)
        unlock();
    }

    /// Ends the access: all its values have arrived.
    void unlock() { std::exchange(memory_, nullptr)->unlock(target_); }

  private:
    friend window;
    locked_target(detail::untyped_window* memory, int target) : memory_(memory), target_(target) {}
    detail::untyped_window* memory_;
    int target_;
  };

  /// Waits for a lock on the memory of `target`.
  ///
  /// @throws usage_error  `target` is no neighbor along an outgoing edge; a fence has opened an
  ///         epoch; it is locked already
  /// Local.
  locked_target lock(int target, lock_kind kind = lock_kind::exclusive) {
    memory_.lock(target, kind);
    return {&memory_, target};
  }

private:
  detail::untyped_window memory_;
  std::int64_t length_;
};

} // namespace seam
