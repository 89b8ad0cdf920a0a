#include "survey.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scale_bench {
namespace {

constexpr char const* names =
    "operation,transport,ranks,cells,edges,seconds,sends,collectives,messages,bytes,allocations,"
    "kept,peak,others,process";

/// The whole numbers of a row behind its time, in the order of the columns.
constexpr std::array counts{&row::sends, &row::collectives, &row::messages,
                            &row::bytes, &row::allocations, &row::kept,
                            &row::peak,  &row::others,      &row::process};

std::string time_of(row const& timed) {
  return timed.seconds < 0 ? "-" : fmt::format("{:.3e}", timed.seconds);
}

} // namespace

std::string text_of(table const& rows) {
  std::string text =
      fmt::format("{:<24}{:<10}{:>6}{:>12}{:>8}{:>8}{:>10}{:>12}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
                  "operation", "transport", "ranks", "seconds", "sends", "calls", "messages",
                  "bytes", "allocs", "kept", "peak", "others", "process");
  for (row const& line : rows)
    text +=
        fmt::format("{:<24}{:<10}{:>6}{:>12}{:>8}{:>8}{:>10}{:>12}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
                    line.operation, line.transport, line.ranks, time_of(line), line.sends,
                    line.collectives, line.messages, line.bytes, line.allocations, line.kept,
                    line.peak, line.others, line.process);
  return text;
}

std::string csv_of(table const& rows) {
  std::string text = fmt::format("{}\n", names);
  for (row const& line : rows) {
    text += fmt::format("{},{},{},{},{},{:.6e}", line.operation, line.transport, line.ranks,
                        line.cells, line.edges, line.seconds);
    for (auto const count : counts)
      text += fmt::format(",{}", line.*count);
    text += '\n';
  }
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
  row line = empty_row(name);
  seam::mpi::barrier(runtime_);
  forget_peak();
  auto const calls = calls_until_now();
  auto const before = memory_now();
  auto result = act();
  auto const after = memory_now();
  add(std::move(line), calls_until_now() - calls, before, after);
  result.reset();
  if (runtime_.has_core_for_each())
    rows_.back().seconds = time(name, act);
}

void survey::add_start(std::string const& name) {
  add(empty_row(name), calls_at_start_, {}, memory_at_start_);
}

row survey::empty_row(std::string const& name) const {
  return {.operation = name,
          .transport = transport_,
          .ranks = runtime_.size(),
          .cells = wanted_.cells,
          .edges = wanted_.edges,
          .seconds = -1};
}

/// Adds the row, with the largest numbers of any rank.
void survey::add(row line, mpi_calls const& calls, memory const& before, memory const& after) {
  std::array<std::int64_t, 9> numbers{calls.sends,
                                      calls.collectives,
                                      calls.messages,
                                      calls.bytes,
                                      after.allocations - before.allocations,
                                      after.bytes - before.bytes,
                                      after.peak - before.bytes,
                                      runtime_.rank() == 0 ? 0 : after.peak - before.bytes,
                                      after.process - before.process};
  seam::mpi::allreduce(runtime_, std::span<std::int64_t>(numbers), MPI_MAX);
  line.sends = numbers[0];
  line.collectives = numbers[1];
  line.messages = numbers[2];
  line.bytes = numbers[3];
  line.allocations = numbers[4];
  line.kept = numbers[5];
  line.peak = numbers[6];
  line.others = numbers[7];
  line.process = numbers[8];
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
