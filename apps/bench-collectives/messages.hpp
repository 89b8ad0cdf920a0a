/// Messages by hand: what a program finds out once about an operation on a graph, and then does
/// again and again.
#pragma once

#include "problem.hpp"

#include <memory>

namespace collective_bench {

/// Doubles that travel between this process and another, or itself.
struct transfer {
  int peer;
  double* block;
  int count;
};

/// Doubles from memory to memory.
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
  std::vector<double const*> terms; ///< [count] each; their sum is what the process wants
  std::vector<std::shared_ptr<std::vector<double>>> room;

  /// Messages to other processes.
  int num_messages(int rank) const;
};

/// A message for each edge, as in [Traeff2021] listing 2.
traffic by_edges(problem& on);

/// A message for each process: blocks of their own are packed, and the same block goes once.
traffic by_processes(problem& on);

} // namespace collective_bench
