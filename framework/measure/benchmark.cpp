#include <seam/framework/measure/benchmark.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <span>

namespace seam {
namespace {

/// Long against the clock's resolution and the time that ranks differ in leaving a barrier. [s]
constexpr double shortest_repetition = 200e-6;
constexpr double most_runs = 1000;
constexpr int enough_repetitions = 5; ///< whatever time they take

/// Seconds that `runs` runs took on this rank, after one more to warm up.
double clock_runs(mpi::comm_view over, variant const& one, int runs) {
  one.run();
  mpi::barrier(over);
  double const begin = MPI_Wtime();
  for (int r = 0; r < runs; ++r)
    one.run();
  return MPI_Wtime() - begin;
}

/// How many runs make one repetition.
int runs_of(mpi::comm_view over, variant const& one) {
  double const seconds = mpi::allreduce(over, clock_runs(over, one, 1), MPI_MAX);
  return static_cast<int>(std::clamp(std::ceil(shortest_repetition / seconds), 1.0, most_runs));
}

/// Whether the limit of time has passed since `begin`, as rank 0 sees it. Collective where there is
/// one.
bool is_over(mpi::comm_view over, std::optional<double> limit, double begin) {
  if (!limit)
    return false;
  int over_now = MPI_Wtime() - begin >= *limit ? 1 : 0;
  mpi::bcast(over, std::span(&over_now, 1), 0);
  return over_now != 0;
}

/// The value that `part` of the sorted values do not exceed.
double quantile(std::vector<double> const& sorted, double part) {
  auto const last = static_cast<double>(sorted.size() - 1);
  double const place = part * last, below = std::floor(place);
  auto const k = static_cast<std::size_t>(below);
  double const next = sorted[std::min(k + 1, sorted.size() - 1)];
  return sorted[k] + (place - below) * (next - sorted[k]);
}

/// The least median among the answers of a role, if there are any.
std::optional<double> best_of(std::vector<timing> const& answers, role wanted) {
  std::optional<double> best;
  for (timing const& one : answers)
    if (one.repetitions > 0 && one.is == wanted && (!best || one.median < *best))
      best = one.median;
  return best;
}

/// "0.97", or nothing where there is nothing to compare with.
std::string ratio(std::optional<double> above, std::optional<double> below) {
  return above && below ? fmt::format("{:.2f}", *above / *below) : "";
}

constexpr double microsecond = 1e-6;

/// The times in microseconds, or nothing where none was taken.
std::array<std::string, 3> times_of(timing const& one, int digits) {
  if (one.repetitions == 0)
    return {};
  auto const in_words = [&](double seconds) {
    return fmt::format("{:.{}f}", seconds / microsecond, digits);
  };
  return {in_words(one.min), in_words(one.median), in_words(one.p90)};
}

std::optional<double> median_of(timing const& one) {
  return one.repetitions > 0 ? std::optional(one.median) : std::nullopt;
}

std::string messages_of(timing const& one) {
  return one.messages == not_counted ? "" : std::to_string(one.messages);
}

/// What is known before a variant has run.
timing untimed(mpi::comm_view over, measurement const& what, variant const& one) {
  return {.question = what.question,
          .variant = one.name,
          .is = one.is,
          .ranks = over.size(),
          .bytes = what.bytes,
          .messages = mpi::allreduce(over, one.messages, MPI_MAX)};
}

/// The longest of these texts, at least `least`.
template <class Text>
std::size_t width(std::vector<std::vector<timing>> const& questions, std::size_t least,
                  Text const& text) {
  for (auto const& answers : questions)
    for (timing const& one : answers)
      least = std::max(least, std::invoke(text, one).size());
  return least;
}

} // namespace

std::vector<timing> time_in_turn(mpi::comm_view over, measurement const& what,
                                 std::vector<variant> const& variants) {
  if (what.repetitions < 1)
    refuse(fmt::format("benchmark: {} repetitions (expected at least 1)", what.repetitions));
  double const begin = MPI_Wtime();
  std::size_t const n = variants.size();
  std::vector<int> runs;
  for (variant const& one : variants)
    runs.push_back(runs_of(over, one));

  std::vector<std::vector<double>> seconds(n);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::minstd_rand same_on_all_ranks;
  int repetitions = 0;
  do {
    std::ranges::shuffle(order, same_on_all_ranks);
    for (std::size_t v : order)
      seconds[v].push_back(clock_runs(over, variants[v], runs[v]) / runs[v]);
  } while (++repetitions < what.repetitions &&
           (repetitions < enough_repetitions || !is_over(over, what.seconds, begin)));

  std::vector<timing> answers;
  for (std::size_t v = 0; v < n; ++v) {
    mpi::allreduce(over, std::span(seconds[v]), MPI_MAX);
    std::ranges::sort(seconds[v]);
    timing& answer = answers.emplace_back(untimed(over, what, variants[v]));
    answer.repetitions = repetitions;
    answer.min = seconds[v].front();
    answer.median = quantile(seconds[v], 0.5);
    answer.p90 = quantile(seconds[v], 0.9);
  }
  return answers;
}

std::vector<timing> count_messages(mpi::comm_view over, measurement const& what,
                                   std::vector<variant> const& variants) {
  std::vector<timing> answers;
  for (variant const& one : variants)
    answers.push_back(untimed(over, what, one));
  return answers;
}

void benchmark_table::add(std::vector<timing> const& answers) { questions_.push_back(answers); }

bool benchmark_table::has_counts() const {
  for (auto const& answers : questions_)
    for (timing const& one : answers)
      if (one.messages != not_counted)
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
    for (timing const& one : answers) {
      auto const [min, median, p90] = times_of(one, 2);
      text += fmt::format(fmt::runtime(line), one.question, one.variant, one.ranks, one.bytes,
                          one.repetitions, min, median, p90, "us",
                          ratio(median_of(one), best_of(answers, role::rival)),
                          ratio(best_of(answers, role::limit), median_of(one)), messages_of(one));
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
    for (timing const& one : answers) {
      auto const [min, median, p90] = times_of(one, 3);
      text += fmt::format("{},{},{},{},{},{},{},{},us,{},{}{}{}\n", one.question, one.variant,
                          one.ranks, one.bytes, one.repetitions, min, median, p90,
                          ratio(median_of(one), best_of(answers, role::rival)),
                          ratio(best_of(answers, role::limit), median_of(one)), counts ? "," : "",
                          messages_of(one));
    }
  return text;
}

std::vector<double> benchmark_table::ratios() const {
  std::vector<double> all;
  for (auto const& answers : questions_)
    if (auto const best = best_of(answers, role::rival))
      for (timing const& one : answers)
        if (one.is == role::subject)
          all.push_back(one.median / *best);
  return all;
}

} // namespace seam
