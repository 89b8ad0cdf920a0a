/// Requests of MPI in one array, as MPI's calls on many requests take them.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>

#include <utility>
#include <vector>

namespace seam::mpi {

/// Owns its requests: of messages in flight, which wait() removes once they are complete, or
/// persistent ones, which are started again and again.
/// Threads: different requests may be started at the same time; the rest by one thread at a time.
class requests {
public:
  requests() = default;
  requests(requests&& other) noexcept { swap(other); }
  requests& operator=(requests&& other) noexcept {
    swap(other);
    return *this;
  }
  ~requests();

  void add(MPI_Request started) { natives_.push_back(started); }

  /// Adds a request that is written by the caller.
  MPI_Request& add() { return natives_.emplace_back(MPI_REQUEST_NULL); }

  int size() const noexcept { return static_cast<int>(natives_.size()); }
  MPI_Request* at(int i) noexcept { return natives_.data() + i; }

  /// Starts persistent request `i`, or those of [first, last).
  void start(int i) { check(MPI_Start(at(i)), "MPI_Start"); }
  void start(int first, int last) {
    if (first < last)
      check(MPI_Startall(last - first, at(first)), "MPI_Startall");
  }

  /// True if all that have been started are complete.
  bool test_all();

  /// Makes progress; true if all are complete, which are then removed. Tests one request after the
  /// other: to test many at a time is slow.
  bool test();

  /// Returns when all are complete, and removes them. Yields the core (see patience.hpp).
  void wait();

private:
  void swap(requests& other) noexcept {
    natives_.swap(other.natives_);
    std::swap(num_complete_, other.num_complete_);
  }

  std::vector<MPI_Request> natives_;
  int num_complete_ = 0; ///< of the first ones, as test() has found
};

} // namespace seam::mpi
