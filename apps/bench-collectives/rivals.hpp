/// Rivals: what programs do without seam. Each is an entry in one of the lists below; a new one is
/// another entry there.
#pragma once

#include "problem.hpp"

#include <functional>
#include <optional>

namespace collective_bench {

/// The forms of a call.
enum class form { blocking, nonblocking, persistent };

/// One way to do an operation.
struct rival {
  std::string_view operation;
  place where;
  std::optional<form> how; ///< nothing: to be compared with all forms
  std::string name;
  /// Makes it ready to be run. Collective: over the problem's communicator.
  std::function<seam::variant(problem&)> make;
};

std::vector<rival> neighbor_rivals(); ///< MPI_Neighbor_* and MPI_Ineighbor_*
std::vector<rival> complete_rivals(); ///< MPI's own operations among all processes

/// Both as persistent requests: MPIX_*_init, where the library has them.
std::vector<rival> persistent_rivals();

/// Irecv, Isend and Waitall with what is to be done before and after, on graphs.
std::vector<rival> rivals_by_hand();

/// Those of an operation in these forms, ready to be run. Collective.
std::vector<seam::variant> rivals_of(problem& on, std::span<form const> forms);

} // namespace collective_bench
