/// Tests on endpoints: a body that runs once for each endpoint, in a thread of its own.
///
///     on_endpoints(counts, [](Communicator& all) { EXPECT(all.size() == 4); });
///
/// Catch2's assertions may not be made by several threads. EXPECT, which threads may use, ends the
/// whole run with a line if it fails, since other endpoints would wait.
#pragma once

#include <seam/exchange/communicator/endpoints.hpp>

#include <mpi.h>

#include <exception>
#include <iostream>
#include <sstream>
#include <thread>
#include <vector>

namespace seam::testing {

/// Ends the run with a line that tells the place and the reason.
[[noreturn]] inline void fail_run(char const* file, int line, std::string const& reason) {
  std::ostringstream text;
  text << file << ':' << line << ": " << reason << '\n';
  std::cerr << text.str() << std::flush;
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

/// The number of endpoints of this process: `counts` in turn by rank.
inline int count_here(std::vector<int> const& counts) {
  return counts[static_cast<std::size_t>(mpi::comm_view(MPI_COMM_WORLD).rank()) % counts.size()];
}

/// Does `body(k)` for each k below `count` in a thread of its own, and waits.
template <class Body>
void in_threads(int count, Body const& body) {
  std::vector<std::jthread> threads;
  for (int k = 0; k < count; ++k)
    threads.emplace_back([&body, k] {
      try {
        body(k);
      } catch (std::exception const& problem) {
        fail_run("thread", k, problem.what());
      }
    });
}

/// Does `body(all)` for each endpoint, whose communicator of all endpoints it gets.
/// Collective: over all ranks of the run.
template <class Body>
void on_endpoints(std::vector<int> const& counts, Body const& body) {
  Communicator const world = Communicator::dup(MPI_COMM_WORLD);
  auto own = create_endpoints(world, count_here(counts));
  in_threads(static_cast<int>(own.size()), [&](int k) { body(own[static_cast<std::size_t>(k)]); });
}

} // namespace seam::testing

#define EXPECT(...)                                                                                \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      seam::testing::fail_run(__FILE__, __LINE__, #__VA_ARGS__);                                   \
  } while (false)
