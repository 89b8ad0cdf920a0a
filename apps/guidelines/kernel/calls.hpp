/// Calls: what the kernel measures, made ready for one experiment.
#pragma once

#include "kernel/buffers.hpp"

#include <seam/exchange.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace guidelines {

/// Work: counts down to 0, a step at a time, by instructions that the compiler cannot change, and touches
/// no memory.
/// Local.
/// Source: [Luebbe2017] sec. 3.1.
inline void count_down(std::uint64_t steps) {
  if (steps == 0)
    return;
#if defined(__x86_64__)
  asm volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(steps) : : "cc");
#elif defined(__aarch64__)
  asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(steps) : : "cc");
#else
  for (std::uint64_t volatile left = steps; left > 0; left = left - 1) {
  }
#endif
}

/// Makes a call, with a loop of this many steps as work.
using repeated = std::function<void(std::uint64_t)>;

/// A call that is ready to be repeated.
struct measured_call {
  /// Makes the call, with a loop of this many steps as work: behind a blocking call, between the
  /// start and the completion of others, and before each partition in shares.
  /// Collective: over the processes of the experiment.
  repeated run;

  /// Ends what each run leaves behind, outside of the measured time; may be empty.
  std::function<void()> after{};

  /// True if the last run has left the right result on this process.
  std::function<bool()> is_right = [] { return true; };
};

/// Makes an experiment's call, with its communicator and its buffers.
/// @param world  all processes
/// @return       nothing if the MPI library does not have the call
/// Collective: over `world`.
std::optional<measured_call> make_call(experiment const& described,
                                       seam::Communicator const& world);

/// The communicator, the buffers and the expected result of a call, which keeps references to it.
template <class Comm>
struct scene {
  Comm comm;
  buffers moved;
  std::vector<arrival> arrivals;
};
using native_scene = scene<seam::mpi::comm>;

/// Makes the scene of a call, with filled buffers.
/// @param num_leaving  blocks of this process, unless it sends the same one to all
template <class Comm>
std::shared_ptr<scene<Comm>> make_scene(experiment const& described, Comm comm, int rank,
                                        std::int64_t num_leaving, std::vector<arrival> arrivals) {
  bool const sends_one = described.call->operation.starts_with("allgather");
  if (sends_one)
    for (arrival& block : arrivals)
      block.block = 0;
  buffers moved(described, sends_one ? 1 : static_cast<int>(num_leaving),
                static_cast<int>(arrivals.size()));
  moved.fill(rank);
  return std::make_shared<scene<Comm>>(scene<Comm>{std::move(comm), std::move(moved),
                                                   std::move(arrivals)});
}

/// The blocks that arrive at `rank` if each process sends one to each, in the order of the ranks.
inline std::vector<arrival> arrivals_from_all(int num_processes, int rank) {
  std::vector<arrival> arrivals;
  for (int peer = 0; peer < num_processes; ++peer)
    arrivals.push_back({peer, rank});
  return arrivals;
}

/// The making of communicators of a topology, which have to be as it asks.
template <class Topology>
measured_call creation_of(std::shared_ptr<Topology const> const& asked) {
  auto const made = std::make_shared<std::optional<decltype(asked->make())>>();
  auto const is_right = std::make_shared<bool>(true);
  return {.run =
              [=](std::uint64_t work) {
                made->emplace(asked->make());
                count_down(work);
              },
          .after =
              [=] {
                *is_right = *is_right && asked->is_that_of(**made);
                made->reset();
              },
          .is_right = [=] { return *is_right; }};
}

/// The calls of the MPI library; nothing if it does not have one.
std::optional<repeated> native_call(setup const& asked, native_scene& on);

/// The calls of seam in all forms, and the making of their communicators.
measured_call make_seam_call(experiment const& described, seam::Communicator const& world);
measured_call make_seam_creation(experiment const& described, seam::Communicator const& world);

} // namespace guidelines
