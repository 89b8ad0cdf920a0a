/// A way: how the partitions of a buffer get from one rank to the next, epoch after epoch.
#pragma once

#include <seam/seam.hpp>

#include <memory>
#include <span>
#include <vector>

namespace partitioned_bench {

/// Whom a rank sends to and receives from, and the memory of both, in partitions of equal length.
struct route {
  seam::Communicator const& comm;
  int to, from; ///< ranks, or MPI_PROC_NULL
  int partitions;
  std::span<std::byte> out, in; ///< of seam's shared memory

  bool sends() const { return to != MPI_PROC_NULL; }
  bool receives() const { return from != MPI_PROC_NULL; }
  int partition_bytes() const { return static_cast<int>(out.size()) / partitions; }
};

/// Threads: ready() from any, the rest by one.
class way {
public:
  way() = default;
  way(way const&) = delete;
  way& operator=(way const&) = delete;
  virtual ~way() = default;

  virtual void start() = 0;

  /// Partition `p` of what leaves is written.
  virtual void ready(int p) = 0;

  /// All are. Returns when what leaves may be written again and all has arrived.
  virtual void finish() = 0;

  /// Partitions that have arrived, without waiting for more. Any thread.
  virtual int num_arrived() { return 0; }
};

/// By seam's partitioned messages.
std::unique_ptr<way> make_partitioned(route const& along);

/// By one message: sent anew each time, or by a persistent request.
std::unique_ptr<way> make_bulk(route const& along);
std::unique_ptr<way> make_persistent(route const& along);

/// By a message for each partition, sent by the thread that has written it.
std::unique_ptr<way> make_message_each(route const& along);

} // namespace partitioned_bench
