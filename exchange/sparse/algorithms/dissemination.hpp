/// Dissemination: a nonblocking barrier of point-to-point messages that also combines one bit of
/// each process by a logical or.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <array>
#include <cstddef>

namespace seam::detail {

/// In round k each process sends the combination of all bits so far to the process 2^k ranks
/// further on; after log2(size) rounds the bits of all have reached all.
///
/// Source: [Ibanez2015] sec. 3.2, whose implementation makes its barrier of such messages too.
class dissemination {
public:
  /// @param tag  of `over`, used by no other messages
  dissemination(mpi::comm_view over, int tag)
      : over_(over), rank_(over.rank()), size_(over.size()), tag_(tag) {}

  /// The ranks that this process sends to, and receives from, in the first round.
  int next() const noexcept { return (rank_ + 1) % size_; }
  int previous() const noexcept { return (rank_ + size_ - 1) % size_; }

  /// The bits of the first round that travel in the caller's own messages; both ends must agree.
  struct carried {
    bool to_next = false, from_previous = false;
  };

  /// Enters the barrier with a bit. The barrier before must be complete. Local.
  void start(bool own, carried first_round);
  void start() { start(false, {}); }

  /// Takes the bit of the previous process, if it travels in a message of the caller's. Local.
  void hear(bool received);

  /// Makes progress; true once all processes have entered. Local.
  bool test();

  /// After completion: true if any process has entered with true.
  bool any() const noexcept { return combined_ != std::byte{0}; }

private:
  void start_round(carried besides);

  mpi::comm_view over_;
  int rank_, size_, tag_;
  int distance_ = 1;             ///< 2^round
  bool awaits_previous_ = false; ///< hear() has yet to be called
  std::byte combined_{0}, sent_{0}, received_{0};
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace seam::detail
