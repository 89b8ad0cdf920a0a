// seam-bench-endpoints times messages, collectives and sweeps between endpoints of one process, between as
// many processes by MPI, and between as many threads of one process by MPI; and sweeps by hand that copy
// rims, or read them where they lie.
//
// Sample run:
//   mpiexec -n 2 --bind-to none seam-bench-endpoints
#include "median.hpp"
#include "ranks.hpp"
#include "rims.hpp"
#include "sweeps.hpp"

#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <vector>

namespace bench {
namespace {

struct options {
  int repetitions = 15;
  double scale = 1;
  std::vector<int> cells = {64, 128, 256};
};

// A task that all ranks do `count` times, and what its time is divided by.
struct task {
  std::string_view name, unit;
  std::int64_t bytes;
  int count;    // in one repetition
  double steps; // of a unit each, in one time
  bool is_collective;
  void (*act)(rank_of_group& self, std::span<std::byte> memory);
};

int partner_of(rank_of_group const& self) {
  int const other = self.rank() ^ 1;
  return other < self.size() ? other : -1;
}

void there_and_back(rank_of_group& self, std::span<std::byte> memory) {
  int const other = partner_of(self);
  if (other < 0)
    return;
  if (self.rank() < other) {
    self.send(memory, other);
    self.receive(memory, other);
  } else {
    self.receive(memory, other);
    self.send(memory, other);
  }
}

constexpr int messages_at_once = 64;

void many_one_way(rank_of_group& self, std::span<std::byte> memory) {
  int const other = partner_of(self);
  if (other < 0)
    return;
  if (self.rank() < other) {
    self.send_many(memory, other, messages_at_once);
    self.receive(memory.first(1), other);
  } else {
    self.receive_many(memory, other, messages_at_once);
    self.send(memory.first(1), other);
  }
}

constexpr task tasks[] = {
    {"8 B one way", "us", 8, 4000, 2, false, there_and_back},
    {"64 messages of 8 B", "us each", 8, 200, messages_at_once, false, many_one_way},
    {"1 MiB one way", "us", 1 << 20, 40, 2, false, there_and_back},
    {"barrier", "us", 8, 2000, 1, true,
     [](rank_of_group& self, std::span<std::byte>) { self.barrier(); }},
    {"allreduce of 8 B", "us", 8, 2000, 1, true,
     [](rank_of_group& self, std::span<std::byte>) { self.sum(1); }},
};

// The median time of one step on rank 0. [us]
double time_of(seam::Communicator const& processes, task const& asked, options const& wanted,
               void (*on_group)(seam::Communicator const&, act_of_rank const&)) {
  std::vector<double> times;
  int const count = std::max(1, static_cast<int>(asked.count * wanted.scale));
  on_group(processes, [&](rank_of_group& self) {
    if (asked.is_collective && !self.has_collectives())
      return;
    std::vector<std::byte> memory(asked.bytes);
    for (int repetition = -1; repetition < wanted.repetitions; ++repetition) {
      there_and_back(self, std::span(memory).first(1));
      auto const begin = std::chrono::steady_clock::now();
      for (int k = 0; k < count; ++k)
        asked.act(self, memory);
      std::chrono::duration<double, std::micro> const lasted =
          std::chrono::steady_clock::now() - begin;
      if (self.rank() == 0 && repetition >= 0)
        times.push_back(lasted.count() / count / asked.steps);
    }
  });
  return times.empty() ? 0 : bench::median(std::move(times));
}

// Says how long the sweeps of other cubes, and the loops by hand of all, will take, if those of the first
// took `seconds`.
void announce_others(seam::Runtime& runtime, options const& wanted, double seconds) {
  double cells = -std::pow(wanted.cells.front(), 3);
  for (int const side : wanted.cells)
    cells += 2 * std::pow(side, 3);
  seam::announce_time(runtime, "sweeps and rims of cubes",
                      seconds * cells / std::pow(wanted.cells.front(), 3));
}

// Sweeps on endpoints and on processes: among neighbors, and alone.
void run_sweeps(seam::Runtime& runtime, options const& wanted) {
  double const begin = MPI_Wtime();
  for (int const& cells : wanted.cells) {
    sweep_times times[2];
    auto const time = [&](sweep_times& into) {
      return [&](rank_of_group& self) {
        auto const own = time_sweeps(*self.of_seam(), cells, wanted.repetitions, wanted.scale);
        if (self.rank() == 0)
          into = own;
      };
    };
    on_endpoints(runtime.world(), time(times[0]));
    on_processes(runtime.world(), time(times[1]));
    seam::print(runtime, "{:<22}{:>12.3f}{:>12.3f}\n{:<22}{:>12.3f}{:>12.3f}\n",
                fmt::format("sweep of {}^3 cells", cells), times[0].among_neighbors * 1e6,
                times[1].among_neighbors * 1e6, "  without neighbors", times[0].alone * 1e6,
                times[1].alone * 1e6);
    if (&cells == &wanted.cells.front())
      announce_others(runtime, wanted, MPI_Wtime() - begin);
  }
}

// Loops by hand on endpoints: with ghosts, and without.
void run_rims(seam::Runtime& runtime, options const& wanted) {
  for (int const cells : wanted.cells) {
    rim_times times;
    on_endpoints(runtime.world(), [&](rank_of_group& self) {
      auto const own = time_rims(*self.of_seam(), cells, wanted.repetitions, wanted.scale);
      if (self.rank() == 0)
        times = own;
    });
    seam::print(runtime, "{:<22}{:>12.3f}\n{:<22}{:>12.3f}\n",
                fmt::format("{}^3, rims copied", cells), times.copied * 1e6,
                "  read where they lie", times.where_they_lie * 1e6);
  }
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::Communicator const& all = runtime.world();
  seam::print(runtime, "{} ranks of each kind, median of {} [us]\n{:<22}{:>12}{:>12}{:>12}\n",
              all.size(), wanted.repetitions, "", "endpoints", "processes", "threads");
  for (task const& asked : tasks) {
    double const endpoints = time_of(all, asked, wanted, on_endpoints);
    double const processes = time_of(all, asked, wanted, on_processes);
    double const threads = time_of(all, asked, wanted, on_threads_of_mpi);
    seam::print(runtime, "{:<22}{:>12.3f}{:>12.3f}{:>12}\n", asked.name, endpoints, processes,
                asked.is_collective ? "-" : fmt::format("{:.3f}", threads));
  }
  run_sweeps(runtime, wanted);
  run_rims(runtime, wanted);
  double line = 0;
  if (runtime.rank() == 0 && runtime.has_core_for_each())
    line = time_of_cache_line() * 1e6;
  seam::print(runtime, "a cache line takes {:.3f} us from core to core\n", line);
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  bench::options wanted;
  CLI::App cli("Times messages between endpoints, processes and threads. Run it with two processes "
               "or more.");
  cli.add_option("--repetitions", wanted.repetitions, "repetitions of each task [15]")
      ->check(CLI::Range(1, 10000));
  cli.add_option("--scale", wanted.scale, "factor of the length of a repetition [1]")
      ->check(CLI::Range(1e-4, 100.0));
  cli.add_option("--cells", wanted.cells, "cells of each rank's cube on a side [64 128 256]")
      ->check(CLI::Range(1, 1000));
  return seam::run_program(cli, argc, argv,
                           [&](seam::Runtime& runtime) { bench::run(runtime, wanted); });
}
