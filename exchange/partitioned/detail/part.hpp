/// Parts: what a partitioned operation is made of. Each carries data along one edge, or reduces.
#pragma once

#include <vector>

namespace seam {

/// One part of a partitioned operation, with partitions of this process that leave, or arrive.
///
/// Threads: ready() and has_arrived() from any thread; test() and make_progress() too, of which one
/// at a time works and the others return; the rest by one thread while the part is not active.
class part {
public:
  part() = default;
  part(part const&) = delete;
  part& operator=(part const&) = delete;
  virtual ~part() = default;

  /// Partitions that this process marks ready, and that it gets.
  virtual int num_leaving() const { return 0; }
  virtual int num_arriving() const { return 0; }

  /// Begins an epoch: nothing is ready, nothing has arrived. Local.
  virtual void start() = 0;

  /// Partitions [first, last) may leave. Returns one that was ready already, or -1. Local.
  virtual int ready(int, int) { return -1; }

  /// Makes progress unless `partition` has arrived. Local.
  virtual bool has_arrived(int) { return true; }

  /// Makes progress; true if this process's part of the epoch is complete.
  /// @throws usage_error  the other end has another number of bytes
  virtual bool test() = 0;

  /// Makes progress as test() does, also while the part is not active. True if there is more to
  /// come.
  virtual bool make_progress() { return false; }

  /// True once both ends know each other. Makes progress.
  virtual bool have_met() { return true; }

  /// What pbuf_prepare does: tells the other end that buffers are ready, and returns true once told
  /// so by it. Called until it returns true.
  virtual bool prepare() { return true; }

  /// Partitions that this process has not marked, and that have not arrived. Allocates.
  virtual std::vector<int> not_ready() const { return {}; }
  virtual std::vector<int> not_arrived() const { return {}; }
};

} // namespace seam
