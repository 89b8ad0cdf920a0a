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

/// The origin of a rival: the MPI library, or messages by hand, along each edge or packed.
enum class origin { mpi, edges, packed };
inline constexpr std::array names_of_origins{"mpi", "edges", "packed"};

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

/// The forms and origins of the rivals that are compared, by their names.
struct choice_of_rivals {
  std::vector<std::string> forms{names_of_forms.begin(), names_of_forms.end()};
  std::vector<std::string> origins{names_of_origins.begin(), names_of_origins.end()};

  bool has(form wanted) const { return has(forms, names_of_forms[static_cast<int>(wanted)]); }
  bool has(origin wanted) const { return has(origins, names_of_origins[static_cast<int>(wanted)]); }

private:
  static bool has(std::vector<std::string> const& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  }
};

std::vector<rival> neighbor_rivals(); ///< MPI_Neighbor_*, MPI_Ineighbor_*, MPI_Neighbor_*_init
std::vector<rival> complete_rivals(); ///< MPI's own operations among all processes

/// Irecv, Isend and Waitall with copies and sums before and after, on graphs.
std::vector<rival> rivals_by_hand();

} // namespace collective_bench
