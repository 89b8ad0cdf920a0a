/// Parts: a partitioned operation consists of them. Each carries partitions along one edge, or
/// reduces them.
#pragma once

#include <vector>

namespace seam::detail {

/// One part of a partitioned operation, with partitions of this process that leave, or arrive.
///
/// Threads: ready(), has_arrived(), test() and make_progress() from any thread; while one thread is
/// in test() or make_progress(), other calls of these return at once. The rest by one thread while
/// the part is inactive.
class part {
public:
  part() = default;
  part(part const&) = delete;
  part& operator=(part const&) = delete;
  virtual ~part() = default;

  /// Numbers of partitions that this process marks ready, and that it receives.
  virtual int num_leaving() const { return 0; }
  virtual int num_arriving() const { return 0; }

  /// Begins an epoch: nothing is ready, nothing has arrived. Local.
  virtual void start() = 0;

  /// Marks partitions [first, last) ready. Returns one that was ready already, or -1. Local.
  virtual int ready(int, int) { return -1; }

  /// Returns true if `partition` has arrived, and makes progress otherwise. Local.
  virtual bool has_arrived(int) { return true; }

  /// Makes progress; returns true if the epoch is complete at this process.
  /// @throws usage_error  the other end has another number of bytes
  virtual bool test() = 0;

  /// Makes progress as test() does, also while the part is inactive. Returns true if more is to
  /// come.
  virtual bool make_progress() { return false; }

  /// Makes progress; returns true once both ends know each other.
  virtual bool have_met() { return true; }

  /// Carries out MPIX_Pbuf_prepare: a receiving end tells the sender that its buffer is ready, and
  /// a sending end returns true once its receiver has done so. Called until it returns true.
  virtual bool prepare() { return true; }

  /// Partitions that this process has not marked ready, and those that have not arrived. Allocates.
  virtual std::vector<int> not_ready() const { return {}; }
  virtual std::vector<int> not_arrived() const { return {}; }
};

} // namespace seam::detail
