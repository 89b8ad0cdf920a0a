/// Dissemination: a nonblocking barrier that also tells everybody whether anybody has something to
/// say, of point-to-point messages alone.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <array>
#include <cstddef>

namespace seam::detail {

/// In round k each process tells what it has heard to the one 2^k ranks further on; after
/// log2(size) rounds everybody has heard of everybody.
/// Source: [Ibanez2015] sec. 3.2, whose implementation makes its barrier of such messages too.
class dissemination {
public:
  /// @param tag  of `over`, for these messages alone
  dissemination(mpi::comm_view over, int tag)
      : over_(over), rank_(over.rank()), size_(over.size()), tag_(tag) {}

  /// The processes that this one tells, and hears from, in the first round.
  int next() const noexcept { return (rank_ + 1) % size_; }
  int previous() const noexcept { return (rank_ + size_ - 1) % size_; }

  /// What of the first round travels in messages of the caller's, as both sides must know.
  struct carried {
    bool to_next = false, from_previous = false;
  };

  /// Enters. The last one must be complete. Local.
  void start(bool mine, carried first_round);
  void start() { start(false, {}); }

  /// What the previous process has entered with, if it is carried in a message. Local.
  void hear(bool theirs);

  /// Makes progress; true once all processes have entered. Local.
  bool test();

  /// After completion: whether any process has entered with true.
  bool any() const noexcept { return heard_ != std::byte{0}; }

private:
  void start_round(carried besides);

  mpi::comm_view over_;
  int rank_, size_, tag_;
  int distance_ = 1;             ///< 2^round
  bool awaits_previous_ = false; ///< is to hear() from it
  std::byte heard_{0}, told_{0}, arrives_{0};
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace seam::detail
