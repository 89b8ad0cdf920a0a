/// Runtime: starts MPI, Kokkos and seam, and stops them again.
///
///     int main(int argc, char** argv) {
///       seam::Runtime runtime(argc, argv);
///       seam::Grid<2> grid(runtime, {.cells = {512, 512}});
///       ...
///     }
///
/// It is the first object of a program and outlives all others of seam. If other code has started
/// MPI or Kokkos already, Runtime uses it and leaves it running. run_program() in program.hpp adds
/// options of the program's own and the exit code.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>
#include <string>

namespace seam {

/// The description of a program without options of its own, for --help.
struct program_usage {
  std::string does;       ///< a sentence or more
  std::string takes = {}; ///< the name of its one argument, such as "MESH"; empty: none
};

/// Keeps MPI and Kokkos running for as long as it lives, and holds the communicator of all ranks.
///
/// Errors: an exception that leaves main becomes one line on stderr and ends the whole job with a
/// non-zero exit code, whatever the other ranks are doing; one that all ranks throw together is
/// printed once. If main catches an exception outside of the Runtime, the other ranks have five
/// seconds to come to their ends too before the job is ended; one caught inside has no effect on
/// the job. Failing MPI calls throw mpi_error.
/// Threads: built and destroyed by the main thread, queries from any.
class Runtime {
public:
  /// Starts MPI and Kokkos, unless they run already.
  ///
  /// MPI is asked for MPI_THREAD_MULTIPLE, or the level that SEAM_THREAD_LEVEL names: single,
  /// funneled, serialized or multiple. Any level that MPI provides will do; all ranks use the
  /// lowest of any. Below multiple, threads of the program may compute, but only the one that
  /// started MPI calls seam (serialized: one at a time), and operations progress in these calls
  /// alone. See exchange/waiting/thread_level.hpp.
  ///
  /// Kokkos uses the cores that this process may run on, divided by the ranks of the node that may
  /// run on the same cores, unless OMP_NUM_THREADS, KOKKOS_NUM_THREADS or --kokkos-num-threads=N
  /// sets the number of threads.
  ///
  /// If ranks with several threads share fewer cores than they have threads, threads that wait for
  /// work sleep soon, so that others can run, unless OMP_WAIT_POLICY, GOMP_SPINCOUNT or
  /// KMP_BLOCKTIME says how they wait. If seam cannot make them sleep, rank 0 prints a line that
  /// names the setting.
  ///
  /// With --explain (or --explain=dot) among its options, or with SEAM_EXPLAIN=on, the program prints
  /// what its exchanges cost (see explanations.hpp).
  ///
  /// @param argc, argv  main's; --explain and options that begin with --kokkos- are removed
  /// @throws usage_error  SEAM_THREAD_LEVEL names no level or Kokkos refuses its options, on all
  ///         ranks; MPI has ended already
  /// Collective: over MPI_COMM_WORLD.
  Runtime(int& argc, char**& argv);

  /// Starts a program without options of its own:
  ///
  ///     seam::Runtime runtime(argc, argv, {.does = "Relaxes a plate.", .takes = "FILE"});
  ///
  /// --help and --version print their text and end the program; --checks and --debug-stall are
  /// taken as in program.hpp; other options or arguments are refused in one line and end it with 1.
  ///
  /// @param argc, argv  main's; the program's one argument, if given, is left in argv[1]
  /// Collective: over MPI_COMM_WORLD.
  Runtime(int& argc, char**& argv, program_usage const& usage);

  Runtime(Runtime const&) = delete;
  Runtime& operator=(Runtime const&) = delete;

  /// Waits for all ranks, then stops Kokkos and MPI if the constructor started them.
  /// Collective: over MPI_COMM_WORLD.
  ~Runtime();

  /// The complete communicator of all ranks.
  Communicator const& world() const noexcept;
  operator Communicator const&() const noexcept { return world(); }
  operator mpi::comm_view() const noexcept { return world(); }

  int rank() const { return world().rank(); }
  int size() const { return world().size(); }

  /// Number of nodes, groups of ranks that share memory.
  int num_nodes() const noexcept;

  /// True if all ranks can run at the same time: no node has more ranks than cores that they may
  /// run on.
  bool has_core_for_each() const noexcept;

  /// Number of threads of Kokkos on this rank.
  int num_threads() const;

  /// Describes the run in one line: "seam 0.1.0: 4 ranks on 1 node, 2 threads each (Kokkos 3.4.1
  /// OpenMP, Open MPI v4.1.4)", with the number of this rank's threads.
  /// Local.
  std::string describe() const;

  /// The runtime of an endpoint, which programs get from run_program(): its world() has the ranks
  /// of `endpoints`.
  ///
  /// @param process      of the process that the endpoint belongs to; outlives this
  /// @param num_threads  of the endpoint's loops
  /// Collective: over `endpoints`. Built and destroyed by the endpoint's thread.
  Runtime(Runtime const& process, Communicator const& endpoints, int num_threads);

private:
  Runtime(int& argc, char**& argv, program_usage const* usage);

  struct state;
  std::unique_ptr<state> state_;
};

} // namespace seam
