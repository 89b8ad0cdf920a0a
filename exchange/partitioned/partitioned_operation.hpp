/// Partitioned operations: persistent communication whose data leaves and arrives in partitions.
///
///     auto sum = pallreduce_init(world, in_partitions(in, 8), in_partitions(out, 8), MPI_SUM);
///     sum.start();
///     ... any thread: sum.ready(p) once partition p of `in` is written ...
///     ... any thread: if (sum.arrived(p)) use partition p of `out` ...
///     sum.wait();
///
/// point_to_point.hpp, collectives.hpp and reductions.hpp beside this header make them. From
/// start() until wait() returns, or test() returns true, the operation is active: the program may
/// write a partition of a send buffer until it marks it ready, and read a partition of a receive
/// buffer once it has arrived. At other times the operation is inactive.
///
/// Source: [MPI4] sec. 4.2; [Holmes2021] secs. IV to VI.
#pragma once

#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace seam {

/// The partitions of one part, at one end of an edge or for all edges.
struct part_end {
  static constexpr int no_edge = -1; ///< of partitions that are for all edges

  detail::part* of;
  int edge = no_edge;
};

/// The parts of a partitioned operation, and the order of their partitions.
struct partitioned_parts {
  std::string name; ///< as error lines name it: "pallreduce_init"
  std::shared_ptr<void const> keeps;
  std::vector<std::unique_ptr<detail::part>> parts{};
  std::vector<part_end> leaving{}, arriving{};
  bool for_all = false; ///< the same partitions leave along all edges
  std::shared_ptr<detail::call_record> record = detail::call_record::unknown(); ///< of its starts
  /// True once the context of the messages is gone (see Communicator::is_gone()); nullptr: never.
  std::shared_ptr<std::atomic<bool> const> is_gone{};
};

/// A partitioned operation, to be started again and again.
///
/// Partitions that leave are numbered through: first those of the first destination, then those of
/// the second, and so on; where all destinations get the same data, each partition has one number
/// for all of them. Functions with a `destination` take the number of a partition among those of
/// this destination. Partitions that arrive are numbered by source in the same way. A destination
/// is named by its rank where the communicator is complete, and on a graph by its index among the
/// destinations of this process; likewise a source.
///
/// Errors name the call, the partition and the operation. A refused call changes nothing, except
/// that ready_list() marks the partitions before the refused one.
///
/// Threads: ready*, arrived and test from any thread; the rest by one thread at a time. Below
/// MPI_THREAD_MULTIPLE all calls come from threads that may call MPI, and checked mode finds
/// others.
///
/// Progress: with MPI_THREAD_MULTIPLE operations move whatever the program does; below, they move
/// in its calls of seam, of this operation or any other.
class partitioned_operation {
public:
  explicit partitioned_operation(partitioned_parts parts);
  partitioned_operation(partitioned_operation&&) noexcept;
  partitioned_operation& operator=(partitioned_operation&&) = delete;

  /// Waits for an active operation whose partitions are all ready; ends the program if some are
  /// not, as the operation could then never complete.
  ~partitioned_operation();

  /// Begins an epoch. Local.
  /// @throws usage_error  the operation is active
  void start();

  /// Marks `partition` ready: it may leave.
  /// @throws usage_error  there is no such partition, it is ready already, or the operation is
  ///                      inactive
  /// Local.
  /// Cost: one atomic operation, and the send of a message that it completes.
  void ready(int partition);
  void ready(int partition, int destination);

  /// Marks partitions low to high ready, both included, as MPI counts them.
  void ready_range(int low, int high);
  void ready_range(int low, int high, int destination);

  void ready_list(std::span<int const> partitions);
  void ready_list(std::span<int const> partitions, int destination);

  /// Returns true if the partition has arrived and may be read, or the operation is inactive. Makes
  /// progress.
  /// @throws usage_error  there is no such partition
  bool arrived(int partition);
  bool arrived(int partition, int source);

  /// Makes progress; returns true once the operation is inactive.
  /// @throws usage_error  the two ends of an edge differ in bytes
  /// @throws mpi_error    MPI has failed
  /// After an error on any thread every further test() and wait() throws it again; such an
  /// operation can only be freed.
  bool test();

  /// Returns once the operation is inactive.
  void wait();

  /// Tells the processes that send here that the buffers are ready, and returns once all processes
  /// that this one sends to have told it the same. After it no partition arrives before it is
  /// expected. To be called between start() and the first ready(), at both ends of every edge.
  /// Source: [Holmes2021] sec. VI.B, MPIX_Pbuf_prepare and its generalization.
  void prepare_buffers();

  /// Frees the operation; afterwards the object may only be destroyed.
  /// @throws usage_error  it is active
  void close();

  bool is_active() const noexcept;
  int num_leaving() const noexcept;  ///< partitions to be marked ready, numbered through
  int num_arriving() const noexcept; ///< partitions that arrive, numbered through
  std::string const& name() const noexcept;

private:
  friend void prepare_buffers(std::span<partitioned_operation* const> operations);

  struct state;
  std::unique_ptr<state> state_;
};

/// Prepares the buffers of several operations at once. A process that both sends and receives needs
/// this: two calls, one after the other, would wait for each other.
void prepare_buffers(std::span<partitioned_operation* const> operations);

} // namespace seam
