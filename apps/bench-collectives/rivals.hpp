/// Rivals: what programs do without seam. Each is an entry in one of the lists below; a new one is
/// another entry there.
#pragma once

#include "problem.hpp"

#include <functional>
#include <optional>

namespace collective_bench {

/// The forms of a call.
enum class form { blocking, nonblocking, persistent };

/// Whose a rival is: of the MPI library, or of a program that sends messages by hand, along each
/// edge or packed.
enum class origin { mpi, edges, packed };

/// One way to do an operation.
struct rival {
  std::string_view operation;
  place where;
  std::optional<form> how; ///< nothing: to be compared with all forms
  std::string name;
  /// Makes it ready to be run. Collective: over the problem's communicator.
  std::function<seam::variant(problem&)> make;
  origin from = origin::mpi;
};

/// Which of them are wanted.
struct choice_of_rivals {
  std::vector<form> forms{form::blocking, form::nonblocking, form::persistent};
  std::vector<origin> origins{origin::mpi, origin::edges, origin::packed};
};

std::vector<rival> neighbor_rivals(); ///< MPI_Neighbor_* and MPI_Ineighbor_*
std::vector<rival> complete_rivals(); ///< MPI's own operations among all processes

/// Both as persistent requests: MPIX_*_init, where the library has them.
std::vector<rival> persistent_rivals();

/// Irecv, Isend and Waitall with what is to be done before and after, on graphs.
std::vector<rival> rivals_by_hand();

/// Those of an operation, ready to be run. Collective.
std::vector<seam::variant> rivals_of(problem& on, choice_of_rivals const& wanted);

} // namespace collective_bench
