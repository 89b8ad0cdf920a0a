/// Messages by hand: a program plans them once for an operation on a graph, and repeats them.
#pragma once

#include "problem.hpp"

#include <memory>

namespace collective_bench {

/// A message of doubles between this process and another, or itself.
struct transfer {
  int peer;
  double* block;
  int count;
};

/// A copy of doubles in memory.
struct copy {
  double const* from;
  double* to;
  int count;
};

/// One run of an operation: copies, messages, copies, and a sum.
struct traffic {
  std::vector<copy> before;
  std::vector<transfer> leaving, arriving;
  std::vector<copy> after;
  std::vector<double const*> terms;                       ///< [count] each; their sum is the result
  std::vector<std::shared_ptr<std::vector<double>>> room; ///< buffers of packed messages

  /// Number of messages to other processes.
  int num_messages(int rank) const;
};

/// Plans a message for each edge, as in [Traeff2021] listing 2.
traffic by_edges(problem& on);

/// Plans a message for each process: different blocks are packed, and equal blocks are sent once.
traffic by_processes(problem& on);

} // namespace collective_bench
