/// The words by which the report of a stall (watch.hpp) says what is missing.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

enum class process_state : std::int32_t { computes, is_in_call, waits, has_left };

/// What a process does, and how often it has called.
struct watch_answer {
  std::int64_t count = 0; ///< of calls on the record that is asked about
  double since = 0;       ///< the last call began [s], if it computes
  process_state state = process_state::computes;
  std::int32_t waits_there = 0; ///< 1 if it waits in a call on the record
  std::array<char, 64> call{};  ///< the call that it is in, or the last one; empty: none

  bool is_in_call() const noexcept {
    return state == process_state::waits || state == process_state::is_in_call;
  }
  void set_call(char const* name); ///< nullptr: none
};

/// A process that has been asked, and its answer if it has come.
struct asked_rank {
  int rank;
  std::optional<watch_answer> answer;
};

/// A wait that lasts long.
struct long_wait {
  int rank; ///< of the process that waits
  std::chrono::duration<double> waited{};
  std::string call = "a call";      ///< in which it waits
  std::uint64_t id;                 ///< of the call's record
  std::int64_t number;              ///< of the call in its record
  std::vector<asked_rank> others{}; ///< ascending; none if no process can be asked
  std::string missing{};            ///< as the process itself knows; may be empty

  /// Notes the answer of `from`.
  void take(int from, watch_answer const& answer);

  /// True if a lower rank waits in the same call.
  bool has_lower_reporter() const;

  /// True if a rank that has not made the call has left, so that it never will.
  bool is_hopeless() const;

  /// True if all have answered, and wait in the call: what is under way will most probably end it.
  bool is_shared_by_all() const;

  /// The line that reports the wait.
  std::string line() const;

  /// Names the other ranks that have made the fewest calls, and those that have not answered:
  /// "rank 2 has not made it, it computes and called allreduce last, 12 s ago". If all have made as
  /// many, those that are in no call or in another one: "all have made as many calls, it or another:
  /// rank 1 waits in sum".
  std::string missing_ranks() const;

  /// Names the ranks at the other end of a message, and what they do:
  /// "which needs rank 3: it waits in barrier".
  std::string needed_ranks() const;
};

} // namespace seam::detail
