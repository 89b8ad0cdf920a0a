#include "survey.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace scale_bench {
namespace {

std::string time_of(row const& timed) {
  return timed.seconds < 0 ? "-" : fmt::format("{:.3e}", timed.seconds);
}

} // namespace

std::string text_of(table const& rows) {
  auto text = fmt::format("{:<24}{:<10}{:>6}{:>12}", "operation", "transport", "ranks", "seconds");
  for (char const* const name : names_of_counts)
    text += fmt::format("{:>12}", name);
  for (row const& line : rows) {
    text += fmt::format("\n{:<24}{:<10}{:>6}{:>12}", line.operation, line.transport, line.ranks,
                        time_of(line));
    for (std::int64_t const number : line.counts)
      text += fmt::format("{:>12}", number);
  }
  return text + '\n';
}

std::string csv_of(table const& rows) {
  auto text = fmt::format("operation,transport,ranks,cells,edges,seconds,{}\n",
                          fmt::join(names_of_counts, ","));
  for (row const& line : rows)
    text += fmt::format("{},{},{},{},{},{:.6e},{}\n", line.operation, line.transport, line.ranks,
                        line.cells, line.edges, line.seconds, fmt::join(line.counts, ","));
  return text;
}

survey::survey(seam::Runtime& runtime, options const& wanted, std::string transport)
    : runtime_(runtime),
      wanted_(wanted),
      transport_(std::move(transport)),
      world_(seam::Communicator::dup(seam::mpi::comm_view(runtime))) {}

void survey::measure(std::string const& name, operation const& act) {
  auto const& chosen = wanted_.operations;
  if (!chosen.empty() && std::ranges::count(chosen, name) == 0)
    return;
  seam::mpi::barrier(runtime_);
  forget_peak();
  auto const calls = calls_until_now();
  auto const before = memory_now();
  auto result = act();
  auto const after = memory_now();
  add(name, calls_until_now() - calls, before, after);
  result.reset();
  if (runtime_.has_core_for_each())
    rows_.back().seconds = time(name, act);
}

void survey::add_start(std::string const& name) {
  add(name, calls_at_start_, {}, memory_at_start_);
}

/// Adds the row, with the largest numbers of any rank.
void survey::add(std::string const& name, mpi_calls const& calls, memory const& before,
                 memory const& after) {
  std::int64_t const most = after.peak - before.bytes;
  row line{name,
           transport_,
           runtime_.size(),
           wanted_.cells,
           wanted_.edges,
           -1,
           {calls.sends, calls.collectives, calls.messages, calls.bytes,
            after.allocations - before.allocations, after.bytes - before.bytes, most,
            runtime_.rank() == 0 ? 0 : most, after.process - before.process}};
  seam::mpi::allreduce(runtime_, std::span<std::int64_t>(line.counts), MPI_MAX);
  rows_.push_back(std::move(line));
}

/// The calls that are timed at a time: those of a short operation follow each other, as in a program.
int survey::calls_at_a_time(operation const& act) {
  constexpr double long_enough = 0.2;
  constexpr int most_calls = 10;
  double const begin = MPI_Wtime();
  act();
  double const taken = seam::mpi::allreduce(runtime_, MPI_Wtime() - begin, MPI_MAX);
  return static_cast<int>(std::clamp(long_enough / taken, 1.0, double{most_calls}));
}

double survey::time(std::string const& name, operation const& act) {
  constexpr double enough_seconds = 2;
  int const calls = calls_at_a_time(act);
  auto const run = [&] {
    for (int call = 0; call < calls; ++call)
      act();
  };
  auto const times = seam::time_in_turn(
      runtime_, {.question = name, .repetitions = wanted_.repetitions, .seconds = enough_seconds},
      {{.name = name, .run = run}});
  return times.front().median / calls;
}

} // namespace scale_bench
