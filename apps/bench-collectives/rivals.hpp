/// Rivals: implementations of the operations without seam. Each is an entry in one of the lists
/// below.
#pragma once

#include "problem.hpp"

#include <seam/program.hpp>

#include <functional>
#include <optional>

namespace collective_bench {

/// The forms of a call.
enum class form { blocking, nonblocking, persistent };

/// The origin of a rival: the MPI library, or messages by hand, along each edge or packed.
enum class origin { mpi, edges, packed };

/// One implementation of an operation.
struct rival {
  std::string_view operation;
  place where;
  std::optional<form> how; ///< nothing: compared with all forms
  std::string name;

  /// Makes a variant that is ready to run.
  /// Collective: over the problem's communicator.
  std::function<seam::variant(problem&)> make;
  origin from = origin::mpi;
};

/// The forms and origins of the rivals that are compared.
struct choice_of_rivals {
  std::vector<form> forms{form::blocking, form::nonblocking, form::persistent};
  std::vector<origin> origins{origin::mpi, origin::edges, origin::packed};
};

std::vector<rival> neighbor_rivals(); ///< MPI_Neighbor_*, MPI_Ineighbor_*, MPI_Neighbor_*_init
std::vector<rival> complete_rivals(); ///< MPI's own operations among all processes

/// Irecv, Isend and Waitall with copies and sums before and after, on graphs.
std::vector<rival> rivals_by_hand();

/// Makes the variants of the wanted rivals of the problem's operation.
/// Collective: over the problem's communicator.
std::vector<seam::variant> rivals_of(problem& on, choice_of_rivals const& wanted);

} // namespace collective_bench
