/// Looks: how a process waits for memory that another writes. The library makes progress meanwhile.
#pragma once

#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <chrono>
#include <cstdint>

namespace seam::detail {

/// Counts the looks at memory that have found nothing.
class vain_looks {
public:
  void clear() noexcept { count_ = 0; }
  std::int64_t count() const noexcept { return count_; }

  /// Counts a look, and now and then lets the MPI library make progress.
  void add(mpi::comm_view context) {
    if (++count_; is_time_for_others() || has_waited_long())
      mpi::make_progress(context);
  }

  /// True now and then during a wait: when the MPI library makes progress.
  bool is_time_for_others() const noexcept { return count_ % looks_between_progress == 0; }

private:
  using clock = std::chrono::steady_clock;

  /// True now and then while the process sleeps between its looks, which then are few.
  bool has_waited_long() noexcept {
    if (count_ % looks_between_clocks != 0)
      return false;
    auto const now = clock::now();
    if (count_ == looks_between_clocks)
      last_ = now;
    if (now - last_ < longest_without_progress)
      return false;
    last_ = now;
    return true;
  }

  std::int64_t count_ = 0;
  clock::time_point last_{}; ///< of progress, or of the first look at the clock
};

} // namespace seam::detail
