/// Definitions of collectives: how one is carried out on each topology, and what its arguments have
/// to be.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/planning/detail/movement.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <cstdint>
#include <optional>

namespace seam::mpi {
class context;
}

namespace seam {

static_assert(2 * sizeof(detail::counted_blocks) <= bytes_of_counted_blocks);

/// The arguments of a call that are the same on all ranks, for checks.
struct common_terms {
  static constexpr int no_root = -1000; ///< none of MPI's special ranks

  int root = no_root;
  MPI_Op op = MPI_OP_NULL;
  std::optional<elements> values{}; ///< as many bytes on all ranks of a complete communicator
  detail::kept_counts counts{};     ///< of blocks; on bipartite communicators of as many elements
};

/// How a collective is carried out, on each topology and in each form. A plan is made of it, or a
/// call of the MPI library.
struct collective_definition {
  /// Starts the operation by a call of the MPI library; without a request, does it (mpi/forms).
  using native_call = detail::local_function<int(MPI_Comm, MPI_Request*)>;
  /// Says which blocks one rank sends and receives along its edges.
  using mover = detail::local_function<detail::movement(detail::collective_edges const&),
                                       bytes_of_counted_blocks>;
  /// Plans one rank's schedule.
  using planner = detail::local_function<detail::schedule(detail::collective_edges const&)>;
  /// Plans one rank's schedule between two sides, with its rank on its own side.
  using planner_between = detail::local_function<detail::schedule(Communicator const&)>;
  /// Throws if this process's own arguments are impossible: see arguments.hpp.
  using checker =
      detail::local_function<void(detail::call_arguments const&), bytes_of_counted_blocks>;
  /// Number of elements that MPI's call would count, the same on all ranks.
  using counter = detail::local_function<std::int64_t(Communicator const&)>;

  /// No way to carry it out yet.
  /// @param called  the collective's name
  explicit collective_definition(char const* called) noexcept : name(called) {}

  char const* name;
  native_call complete{};  ///< on complete communicators; empty: by the plan
  native_call bipartite{}; ///< on bipartite ones; empty: by the plan
  /// Blocking, on complete communicators of endpoints; nullptr: by the plan.
  void (*among_endpoints)(mpi::context&) = nullptr;
  mover moves{};  ///< on graphs, if blocks move: all plans are made of it
  planner plan{}; ///< on graphs, without `moves`; if empty, too, it has no meaning there
  bool uses_all_edges = false; ///< `moves` a block along every edge: prepare() compares lengths
  planner plan_on_complete{};  ///< on complete communicators, without `moves` and `plan`
  planner_between plan_on_bipartite{}; ///< on bipartite ones, without `moves` and `plan`
  counter counted{};        ///< if beyond an int `plan_on_complete` takes the place of `complete`
  bool on_bipartite = true; ///< false: it has no meaning there
  common_terms common{};    ///< what checked mode compares
  checker check{};          ///< of the arguments, before the call or its plan is made
};

} // namespace seam
