/// Diagnosis: what a program finds on the machine that it runs on, and what would make it faster.
///
///     for (finding const& one : diagnose(runtime))
///       print(runtime, "{} {}: {}\n", one.is_good ? "ok" : "--", one.topic, one.state);
#pragma once

#include <seam/framework/program/runtime.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace seam {

/// One thing that was looked at.
struct finding {
  std::string topic;  ///< "pinning"
  std::string state;  ///< what was found, in a few words
  bool is_good;       ///< there is nothing to do
  std::string advice; ///< what to do; empty if is_good
};

/// Looks at MPI's threads, shared memory, partitioned communication, devices, pinning,
/// oversubscription and checked mode. The same on all ranks. Collective: over the runtime's world.
/// @param limit_of_threads  how long threads may take to exchange a few messages
std::vector<finding> diagnose(Runtime const& runtime,
                              std::chrono::milliseconds limit_of_threads = std::chrono::seconds(5));

} // namespace seam
