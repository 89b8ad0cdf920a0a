/// Benchmarks: variants of one task, timed in turn in one run, and the table of their times.
///
///     benchmark_table table;
///     table.add(time_in_turn(runtime, {.question = "n=64 faces", .bytes = 98304},
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

/// The role of a variant in the comparison.
enum class role {
  subject, ///< the implementation under test
  rival,   ///< an implementation that it is compared with
  limit    ///< a lower bound of the time, such as a bare copy
};

/// The number of messages of variants that do not count them.
inline constexpr int not_counted = -1;

/// One implementation of the task.
struct variant {
  std::string name;
  std::function<void()> run; ///< does the task once; all ranks call it together
  role is = role::subject;
  int messages = not_counted; ///< messages that this process sends to others in one run
};

/// The question of a comparison, the same on all ranks.
struct measurement {
  std::string question{}; ///< first column of the table
  std::int64_t bytes = 0; ///< bytes that one run moves, for the table alone
  int repetitions = 50;   ///< repetitions of each variant, at least 1

  /// The time after which no further repetition begins, though five are always made. Without it,
  /// ranks exchange no messages about time. [s]
  std::optional<double> seconds{};
};

/// The times of one run of a variant [s]; unknown without repetitions.
struct timing {
  std::string question, variant;
  role is = role::subject;
  int ranks = 0;
  std::int64_t bytes = 0;
  int repetitions = 0;
  double min = 0, median = 0, p90 = 0;
  int messages = not_counted; ///< messages of one run, of the process that sends most
};

/// Times every variant `repetitions` times, or as often as time allows, at least five times.
///
/// One repetition runs each variant once, in a new random order, so that disturbances of the
/// machine strike all variants alike. A run that is not timed precedes each, so that no variant
/// pays for the caches that another left. Ranks start together; a repetition takes as long as its
/// slowest rank. Runs too short for the clock are repeated inside a repetition, which then reports
/// their mean. If all takes more than ten seconds, as the first run of each variant lets expect,
/// announce_time() says so.
///
/// @return  [variants.size()], in their order, the same on all ranks
/// Collective: over `over`.
std::vector<timing> time_in_turn(mpi::comm_view over, measurement const& asked,
                                 std::vector<variant> const& variants);

/// Prints how long something will take, "heat 512^3: about 40 s", on stderr of rank 0, if that is more
/// than ten seconds.
/// @param seconds  of rank 0, measured or estimated [s]
/// Local.
void announce_time(mpi::comm_view over, std::string const& what, double seconds);

/// Returns the number of messages that each variant sends, without running it.
/// @return  as time_in_turn(), with 0 repetitions
/// Collective: over `over`.
std::vector<timing> count_messages(mpi::comm_view over, measurement const& asked,
                                   std::vector<variant> const& variants);

/// A table of all timings, one line each, with an empty line between questions. A value: it is
/// filled on all ranks alike or on one.
class benchmark_table {
public:
  /// Adds the timings of one question.
  void add(std::vector<timing> const& answers);

  /// The table with the columns question, variant, ranks, bytes, repetitions, min, median, p90,
  /// unit (microseconds), x rival (median / median of the best rival), of limit (the best limit's
  /// median / median) and, if any variant counts them, messages.
  std::string text() const;

  /// The table as comma-separated values with a line of names; names with commas are in quotes.
  std::string csv() const;

  /// Ratios of the subjects' medians to that of the best rival, for questions that have both.
  std::vector<double> ratios() const;

private:
  bool has_counts() const;

  std::vector<std::vector<timing>> questions_;
};

} // namespace seam
