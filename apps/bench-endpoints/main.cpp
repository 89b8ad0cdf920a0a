// seam-bench-endpoints times messages and collectives between endpoints of one process, between as many
// processes by MPI, and between as many threads of one process by MPI. SEAM_ENDPOINTS=2 seam-bench-steps
// times steps between endpoints.
//
// Sample run:
//   mpiexec -n 2 --bind-to none seam-bench-endpoints
#include "ranks.hpp"

#include <kit/benchmark.hpp>
#include <seam/program.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

namespace bench {
namespace {

struct options {
  int repetitions = 15;
  double scale = 1;
};

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Times messages between endpoints, processes and threads. Run it with two processes "
               "or more.");
  add_repetitions(cli, wanted.repetitions);
  cli.add("--scale", wanted.scale, "factor of the length of a repetition")
      .between(1e-4, 100.0, "FACTOR");
}

// A task that all ranks do `count` times, and what its time is divided by.
struct task {
  std::string_view name;
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
    {"8 B one way", 8, 4000, 2, false, there_and_back},
    {"64 messages of 8 B", 8, 200, messages_at_once, false, many_one_way},
    {"1 MiB one way", 1 << 20, 40, 2, false, there_and_back},
    {"allreduce of 8 B", 8, 2000, 1, true,
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
  std::ranges::sort(times);
  return times.empty() ? 0 : times[times.size() / 2];
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
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, bench::add_options, bench::run);
}
