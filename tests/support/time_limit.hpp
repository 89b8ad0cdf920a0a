/// A time limit for tests that go on as long as they may.
#pragma once

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <chrono>
#include <cstdlib>

namespace seam::testing {

/// A limit of so many seconds, or of SEAM_FUZZ_SECONDS if the environment sets it.
class time_limit {
public:
  explicit time_limit(double seconds) : end_(clock::now() + wanted(seconds)) {}

  /// Returns true once the time is over on any rank. Collective.
  bool is_over(mpi::comm_view over) const {
    return mpi::allreduce(over, clock::now() > end_ ? 1 : 0, MPI_MAX) != 0;
  }

private:
  using clock = std::chrono::steady_clock;

  static clock::duration wanted(double seconds) {
    char const* const given = std::getenv("SEAM_FUZZ_SECONDS"); // NOLINT(concurrency-mt-unsafe)
    std::chrono::duration<double> const time(given == nullptr ? seconds : std::atof(given));
    return std::chrono::duration_cast<clock::duration>(time);
  }

  clock::time_point end_;
};

} // namespace seam::testing
