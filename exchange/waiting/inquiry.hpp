/// An inquiry of the watch (watch.hpp): the questions of a process whose wait lasts long to the
/// processes that it may wait for, and their answers.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/stall_words.hpp>
#include <seam/exchange/waiting/thread_wait.hpp>
#include <seam/exchange/waiting/watch_messages.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// Asks lower ranks first, since the lowest of all ranks that wait in a call reports.
/// Threads: one at a time.
class inquiry {
public:
  using clock = std::chrono::steady_clock;

  /// Asks the first processes.
  ///
  /// @param over   communicator of the watch
  /// @param sends  carries the questions; outlives this object
  /// @param begin  of the wait
  inquiry(mpi::comm_view over, background_sends& sends, wait_of_thread due, clock::time_point begin,
          clock::time_point now);

  /// True of the questions of this inquiry.
  bool is_of(std::int64_t number) const noexcept { return number == number_; }

  wait_of_thread const& wait() const noexcept { return wait_; }

  /// True if a lower rank waits in the same call.
  bool has_lower_reporter() const noexcept { return has_lower_reporter_; }

  /// The processes that may be asked, without this one, ascending by rank.
  std::span<asked_rank const> others() const noexcept { return others_; }

  /// Notes the answer of `rank`.
  void take(int rank, watch_answer const& answer);

  /// Asks more processes; true if no more answers are expected, or nothing is to be reported.
  bool advance(clock::time_point now);

  /// The line that reports the wait.
  std::string line(clock::time_point now) const;

  /// True if a rank that has not made the call has left, so that it never will.
  bool is_hopeless() const;

  /// Numbers the findings about a record: the fewest calls that ranks have made, and whether these
  /// are too few.
  std::int64_t finding() const;

private:
  void ask_more(clock::time_point now);
  bool have_all_answered() const;
  bool is_text_expected() const;

  mpi::comm_view over_;
  background_sends* sends_;
  wait_of_thread wait_;
  clock::time_point begin_, deadline_, deadline_of_text_;
  std::vector<asked_rank> others_;
  int num_lower_ = 0; ///< of others_: ranks below this process
  int num_asked_ = 0;
  std::int64_t number_; ///< of its questions
  bool has_lower_reporter_ = false;
};

} // namespace seam::detail
