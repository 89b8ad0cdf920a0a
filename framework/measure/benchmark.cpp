#include <seam/framework/measure/benchmark.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/program/terminal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>

namespace seam {
using namespace detail;

namespace {

/// Long against the clock's resolution and the differences of ranks that leave a barrier. [s]
constexpr double shortest_repetition = 200e-6;
constexpr double most_runs = 1000;
constexpr int enough_repetitions = 5; ///< made even beyond the limit of time
constexpr double most_seconds = std::numeric_limits<double>::max();

/// Returns the seconds that `runs` runs take on this rank, after one more to warm up.
double clock_runs(mpi::comm_view over, variant const& candidate, int runs) {
  candidate.run();
  mpi::barrier(over);
  double const begin = MPI_Wtime();
  for (int r = 0; r < runs; ++r)
    candidate.run();
  return MPI_Wtime() - begin;
}

/// Returns the number of runs in one repetition.
/// @param seconds  of a run
int runs_of(double seconds) {
  return static_cast<int>(std::clamp(std::ceil(shortest_repetition / seconds), 1.0, most_runs));
}

/// "40 s", "12 min" or "3.5 h".
std::string duration_in_words(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 2 * minute)
    return fmt::format("{:.0f} s", seconds);
  return seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                            : fmt::format("{:.1f} h", seconds / hour);
}

/// True on all ranks if the limit of time has passed since `begin` on rank 0.
/// Collective: over `over` if there is a limit, else local.
bool is_over(mpi::comm_view over, std::optional<double> limit, double begin) {
  if (!limit)
    return false;
  int over_now = MPI_Wtime() - begin >= *limit ? 1 : 0;
  mpi::bcast(over, std::span(&over_now, 1), 0);
  return over_now != 0;
}

/// The value that the fraction `part` of the sorted values does not exceed, interpolated.
double quantile(std::vector<double> const& sorted, double part) {
  auto const last = static_cast<double>(sorted.size() - 1);
  double const place = part * last, below = std::floor(place);
  auto const k = static_cast<std::int64_t>(below);
  double const next = sorted[std::min(k + 1, std::ssize(sorted) - 1)];
  return sorted[k] + (place - below) * (next - sorted[k]);
}

/// The least median among the answers of a role; nothing if no variant of it has been timed.
std::optional<double> best_of(std::vector<timing> const& answers, role wanted) {
  std::optional<double> best;
  for (timing const& answer : answers)
    if (answer.repetitions > 0 && answer.is == wanted && (!best || answer.median < *best))
      best = answer.median;
  return best;
}

/// The quotient, for example "0.97"; empty unless both are known.
std::string ratio(std::optional<double> above, std::optional<double> below) {
  return above && below ? fmt::format("{:.2f}", *above / *below) : "";
}

constexpr double microsecond = 1e-6;

/// Minimum, median and 90th percentile in microseconds; empty texts without repetitions.
std::array<std::string, 3> times_of(timing const& answer, int digits) {
  if (answer.repetitions == 0)
    return {};
  auto const in_words = [&](double seconds) {
    return fmt::format("{:.{}f}", seconds / microsecond, digits);
  };
  return {in_words(answer.min), in_words(answer.median), in_words(answer.p90)};
}

std::optional<double> median_of(timing const& answer) {
  return answer.repetitions > 0 ? std::optional(answer.median) : std::nullopt;
}

std::string messages_of(timing const& answer) {
  return answer.messages == not_counted ? "" : std::to_string(answer.messages);
}

/// The columns that are known before a variant has run.
/// Collective: over `over`.
timing untimed(mpi::comm_view over, measurement const& asked, variant const& candidate) {
  return {.question = asked.question,
          .variant = candidate.name,
          .is = candidate.is,
          .ranks = over.size(),
          .bytes = asked.bytes,
          .messages = mpi::allreduce(over, candidate.messages, MPI_MAX)};
}

/// The length of the longest of these texts, at least `least`.
template <class Text>
std::size_t width(std::vector<std::vector<timing>> const& questions, std::size_t least,
                  Text const& text) {
  for (auto const& answers : questions)
    for (timing const& answer : answers)
      least = std::max(least, std::invoke(text, answer).size());
  return least;
}

/// The times of each variant on this rank, in turn, in another order each time. [variants] [s]
std::vector<std::vector<double>> clock_in_turn(mpi::comm_view over, measurement const& asked,
                                               std::vector<variant> const& variants) {
  double const begin = MPI_Wtime();
  std::vector<int> runs;
  double of_repetition = 0;
  for (variant const& candidate : variants) {
    double const of_run = mpi::allreduce(over, clock_runs(over, candidate, 1), MPI_MAX);
    runs.push_back(runs_of(of_run));
    of_repetition += (1 + runs.back()) * of_run;
  }
  announce_time(over, asked.question,
                std::clamp(asked.repetitions * of_repetition, 0.0,
                           std::max(asked.seconds.value_or(most_seconds),
                                    enough_repetitions * of_repetition)));
  std::vector<std::vector<double>> seconds(variants.size());
  std::vector<int> order(variants.size());
  std::iota(order.begin(), order.end(), 0);
  std::minstd_rand same_on_all_ranks;
  int repetitions = 0;
  do {
    std::ranges::shuffle(order, same_on_all_ranks);
    for (int const v : order)
      seconds[v].push_back(clock_runs(over, variants[v], runs[v]) / runs[v]);
  } while (++repetitions < asked.repetitions &&
           (repetitions < enough_repetitions || !is_over(over, asked.seconds, begin)));
  return seconds;
}

/// A field of a line of comma-separated values, in quotes if it has a comma or quotes itself.
std::string in_csv(std::string const& text) {
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char const c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

} // namespace

std::vector<timing> time_in_turn(mpi::comm_view over, measurement const& asked,
                                 std::vector<variant> const& variants) {
  detail::call_scope const here("time_in_turn");
  if (asked.repetitions < 1)
    refuse(fmt::format("benchmark: {} repetitions (expected at least 1)", asked.repetitions));
  auto seconds = clock_in_turn(over, asked, variants);
  std::vector<timing> answers;
  for (int v = 0; v < std::ssize(variants); ++v) {
    mpi::allreduce(over, std::span(seconds[v]), MPI_MAX);
    std::ranges::sort(seconds[v]);
    timing& answer = answers.emplace_back(untimed(over, asked, variants[v]));
    answer.repetitions = static_cast<int>(seconds[v].size());
    answer.min = seconds[v].front();
    answer.median = quantile(seconds[v], 0.5);
    answer.p90 = quantile(seconds[v], 0.9);
  }
  return answers;
}

void announce_time(mpi::comm_view over, std::string const& what, double seconds) {
  constexpr double short_time = 10;
  if (over.rank() != 0 || seconds <= short_time)
    return;
  erase_foot();
  write_to_stderr(fmt::format("{}: about {}\n", what, duration_in_words(seconds)));
}

std::vector<timing> count_messages(mpi::comm_view over, measurement const& asked,
                                   std::vector<variant> const& variants) {
  std::vector<timing> answers;
  for (variant const& candidate : variants)
    answers.push_back(untimed(over, asked, candidate));
  return answers;
}

void benchmark_table::add(std::vector<timing> const& answers) { questions_.push_back(answers); }

bool benchmark_table::has_counts() const {
  for (auto const& answers : questions_)
    for (timing const& answer : answers)
      if (answer.messages != not_counted)
        return true;
  return false;
}

std::string benchmark_table::text() const {
  std::string const line = fmt::format(
      "{{:<{}}} {{:<{}}} {{:>5}} {{:>10}} {{:>5}} {{:>10}} {{:>10}} {{:>10}} {{:>4}} {{:>8}} "
      "{{:>9}}{}\n",
      width(questions_, 18, &timing::question), width(questions_, 22, &timing::variant),
      has_counts() ? " {:>9}" : "");
  std::string text =
      fmt::format(fmt::runtime(line), "question", "variant", "ranks", "bytes", "reps", "min",
                  "median", "p90", "unit", "x rival", "of limit", "messages");
  for (auto const& answers : questions_) {
    text += '\n';
    for (timing const& answer : answers) {
      auto const [min, median, p90] = times_of(answer, 2);
      text +=
          fmt::format(fmt::runtime(line), answer.question, answer.variant, answer.ranks,
                      answer.bytes, answer.repetitions, min, median, p90, "us",
                      ratio(median_of(answer), best_of(answers, role::rival)),
                      ratio(best_of(answers, role::limit), median_of(answer)), messages_of(answer));
    }
  }
  return text;
}

std::string benchmark_table::csv() const {
  bool const counts = has_counts();
  std::string text = "question,variant,ranks,bytes,repetitions,min,median,p90,unit,ratio_to_best_"
                     "rival,fraction_of_limit";
  text += counts ? ",messages\n" : "\n";
  for (auto const& answers : questions_)
    for (timing const& answer : answers) {
      auto const [min, median, p90] = times_of(answer, 3);
      text += fmt::format("{},{},{},{},{},{},{},{},us,{},{}{}{}\n", in_csv(answer.question),
                          in_csv(answer.variant), answer.ranks, answer.bytes, answer.repetitions,
                          min, median, p90, ratio(median_of(answer), best_of(answers, role::rival)),
                          ratio(best_of(answers, role::limit), median_of(answer)),
                          counts ? "," : "", messages_of(answer));
    }
  return text;
}

std::vector<double> benchmark_table::ratios() const {
  std::vector<double> all;
  for (auto const& answers : questions_)
    if (auto const best = best_of(answers, role::rival))
      for (timing const& answer : answers)
        if (answer.is == role::subject)
          all.push_back(answer.median / *best);
  return all;
}

} // namespace seam
