/// Benchmarks: several ways to do the same thing, timed in turn in one run, and the table of it.
///
///     benchmark_table table;
///     table.add(time_in_turn(runtime, {.question = "n=64 faces", .bytes = 98304, .repetitions =
///     50},
///                            {{.name = "seam", .run = [&] { halo.run(); }},
///                             {.name = "packed", .run = [&] { packed(); }, .is = role::rival}}));
///     print(runtime, table.text());
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seam {

/// What a variant is in the comparison.
enum class role {
  subject, ///< what is judged
  rival,   ///< what it is judged by
  limit    ///< what nothing can beat: a bare copy, say
};

/// Of variants whose messages nobody has counted.
inline constexpr int not_counted = -1;

/// One way to do the thing in question.
struct variant {
  std::string name;
  std::function<void()> run; ///< does it once; all ranks call it together
  role is = role::subject;
  int messages = not_counted; ///< that this process sends to others in one run
};

/// What is asked, the same on all ranks.
struct measurement {
  std::string question{}; ///< first column of the table
  std::int64_t bytes = 0; ///< that one run moves, for the table alone
  int repetitions = 50;   ///< of each variant, at least 1

  /// After so long no further repetition begins, but five are always made. Without, ranks ask each
  /// other nothing. [s]
  std::optional<double> seconds{};
};

/// How long one run of a variant took. [s] Without repetitions, nobody knows.
struct timing {
  std::string question, variant;
  role is = role::subject;
  int ranks = 0;
  std::int64_t bytes = 0;
  int repetitions = 0;
  double min = 0, median = 0, p90 = 0;
  int messages = not_counted; ///< that one run sends, from the process that sends most
};

/// Times every variant `repetitions` times, or as often as the limit of time allows, at least five
/// times.
///
/// One repetition runs each variant once, in an order that is drawn anew each time, so that
/// whatever disturbs the machine disturbs them alike. A run that does not count goes before, so
/// that none pays for what the one before it left in the caches. Ranks start together; a repetition
/// takes as long as its slowest rank. Runs too short for the clock are repeated inside a
/// repetition, and what is reported is the mean of these.
///
/// @return  [variants.size()], in their order, the same on all ranks
/// Collective: over `over`.
std::vector<timing> time_in_turn(mpi::comm_view over, measurement const& what,
                                 std::vector<variant> const& variants);

/// The answers that need no clock: how many messages each variant sends. Runs nothing.
/// @return  as time_in_turn(), of 0 repetitions
/// Collective: over `over`.
std::vector<timing> count_messages(mpi::comm_view over, measurement const& what,
                                   std::vector<variant> const& variants);

/// The table of all timings, one line each, questions apart. A value: fill it on all ranks alike or
/// on one.
class benchmark_table {
public:
  /// Adds the answers to one question.
  void add(std::vector<timing> const& answers);

  /// The columns question, variant, ranks, bytes, repetitions, min, median, p90, unit
  /// (microseconds), x rival (median / median of the best rival), of limit (the best limit's
  /// median / median) and, if any variant's are known, messages.
  std::string text() const;

  /// The same numbers as comma-separated values with a line of names.
  std::string csv() const;

  /// Ratios of the subjects' medians to that of the best rival, where there are both.
  std::vector<double> ratios() const;

private:
  bool has_counts() const;

  std::vector<std::vector<timing>> questions_;
};

} // namespace seam
