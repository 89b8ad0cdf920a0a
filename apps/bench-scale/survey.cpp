#include "survey.hpp"

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/measure/benchmark.hpp>

#include <array>

namespace scale_bench {

survey::survey(seam::Runtime& runtime, options const& wanted, std::string transport)
    : runtime_(runtime),
      wanted_(wanted),
      transport_(std::move(transport)),
      world_(seam::Communicator::dup(seam::mpi::comm_view(runtime))) {}

void survey::measure(std::string const& name, operation const& act) {
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
  std::array<std::int64_t, 8> numbers{calls.sends,
                                      calls.collectives,
                                      calls.messages,
                                      calls.bytes,
                                      after.allocations - before.allocations,
                                      after.bytes - before.bytes,
                                      after.peak - before.bytes,
                                      after.process - before.process};
  seam::mpi::allreduce(runtime_, std::span<std::int64_t>(numbers), MPI_MAX);
  line.sends = numbers[0];
  line.collectives = numbers[1];
  line.messages = numbers[2];
  line.bytes = numbers[3];
  line.allocations = numbers[4];
  line.kept = numbers[5];
  line.peak = numbers[6];
  line.process = numbers[7];
  rows_.push_back(std::move(line));
}

double survey::time(std::string const& name, operation const& act) {
  constexpr double enough_seconds = 2;
  auto const times = seam::time_in_turn(
      runtime_, {.question = name, .repetitions = wanted_.repetitions, .seconds = enough_seconds},
      {{.name = name, .run = [&] { act(); }}});
  return times.front().median;
}

} // namespace scale_bench
