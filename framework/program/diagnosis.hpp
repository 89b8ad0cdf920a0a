/// Diagnosis: the state of the machine that a program runs on, and advice that makes it faster.
///
///     for (finding const& found : diagnose(runtime))
///       print(runtime, "{} {}: {}\n", found.is_good ? "ok" : "--", found.topic, found.state);
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/program/runtime.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace seam::detail {

/// True on all ranks if `num_threads` threads of each rank exchange correct messages at once within
/// `limit`. Requires MPI_THREAD_MULTIPLE.
/// Collective: over `over`.
bool threads_may_call_together(mpi::comm_view over, int num_threads,
                               std::chrono::milliseconds limit);

} // namespace seam::detail

namespace seam {

/// The state of one topic.
struct finding {
  std::string topic;  ///< for example "pinning"
  std::string state;  ///< a few words
  bool is_good;       ///< no action is needed
  std::string advice; ///< the action to take; empty if is_good
};

/// Examines MPI's threads, shared memory, partitioned communication, devices, pinning,
/// oversubscription and checked mode.
/// @param limit_of_threads  the time in which threads must have exchanged a few messages
/// @return  the findings, the same on all ranks
/// Collective: over the runtime's world.
std::vector<finding> diagnose(Runtime const& runtime,
                              std::chrono::milliseconds limit_of_threads = std::chrono::seconds(5));

} // namespace seam
