/// Rivals: implementations of the operations without seam. Each is an entry in one of the lists
/// below.
#pragma once

#include "problem.hpp"

#include <seam/program.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace collective_bench {

/// The forms of a call.
enum class form { blocking, nonblocking, persistent };
inline constexpr std::array names_of_forms{"blocking", "nonblocking", "persistent"};

/// One implementation of an operation.
struct rival {
  std::string_view operation;
  place where;
  std::optional<form> how; ///< nothing: compared with all forms
  std::string name;

  /// Makes a variant that is ready to run.
  /// Collective: over the problem's communicator.
  std::function<seam::variant(problem&)> make;
};

std::vector<rival> neighbor_rivals(); ///< MPI_Neighbor_*, MPI_Ineighbor_*, MPI_Neighbor_*_init
std::vector<rival> complete_rivals(); ///< MPI's own operations among all processes

/// Irecv, Isend and Waitall with copies and sums before and after, on graphs.
std::vector<rival> rivals_by_hand();

} // namespace collective_bench
