/// Threads that seam starts by itself.
#pragma once

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <utility>

namespace seam::detail {

/// Starts a thread that calls run(std::stop_token).
/// @throws error  the system has no room for another thread
template <class Run>
std::jthread start_background_thread(Run run) {
  try {
    return std::jthread(std::move(run));
  } catch (std::system_error const& problem) {
    throw error(fmt::format("threads: another thread cannot start: {} (expected memory for its "
                            "stack, and room in the limits ulimit -v and ulimit -u)",
                            problem.code().message()));
  }
}

} // namespace seam::detail
