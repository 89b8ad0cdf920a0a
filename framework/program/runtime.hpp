/// Runtime: starts MPI, Kokkos and seam, and stops them again.
///
///     int main(int argc, char** argv) {
///       seam::Runtime runtime(argc, argv);
///       seam::Grid<2> grid(runtime, {.cells = {512, 512}});
///       ...
///     }
///
/// It is the first object of a program and outlives all others of seam. What other code has started
/// already is used and left running. run_program() in program.hpp adds options of the program's own
/// and the exit code.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>
#include <string>

namespace seam {

/// What a program without options of its own tells of itself.
struct program_usage {
  std::string does;       ///< in a sentence or more
  std::string takes = {}; ///< the one word that it may be given, such as "MESH"; empty: none
};

/// MPI and Kokkos for as long as it lives, and the communicator of all ranks.
///
/// Errors: an exception that leaves main becomes one line on stderr and ends the whole job with a
/// non-zero exit code, whatever the other ranks are doing; one that all ranks throw together is
/// printed once. If main catches an exception outside of the Runtime, the other ranks have five
/// seconds to come to their ends too before the job is ended; one that main catches inside is for
/// main to deal with. Failing MPI calls throw mpi_error.
/// Threads: built and destroyed by the main thread, queries from any.
class Runtime {
public:
  /// Starts what does not run yet: MPI, and Kokkos.
  ///
  /// MPI is asked for MPI_THREAD_MULTIPLE, or the level that SEAM_THREAD_LEVEL names: single,
  /// funneled, serialized or multiple. What it gives suffices, the lowest of all ranks counts.
  /// Below multiple, threads of the program may compute, but only the one that started MPI calls
  /// seam (serialized: one at a time), and operations move in these calls alone. See
  /// exchange/waiting/thread_level.hpp.
  ///
  /// Kokkos uses the cores that this process may run on, divided by the ranks of the node that may
  /// run on the same ones, unless OMP_NUM_THREADS, KOKKOS_NUM_THREADS or --kokkos-num-threads=N
  /// says otherwise.
  ///
  /// Where ranks with several threads share cores that are fewer than all their threads, threads
  /// that wait for work sleep soon, so that others can run, unless OMP_WAIT_POLICY,
  /// GOMP_SPINCOUNT or KMP_BLOCKTIME says how they wait. If seam cannot see to that, rank 0 prints
  /// a line that says what to set.
  ///
  /// With --explain among its options, or with SEAM_EXPLAIN=on, the program prints what its
  /// exchanges cost (see explanations.hpp).
  ///
  /// @param argc, argv  main's; --explain and options that begin with --kokkos- are taken out
  /// @throws usage_error  SEAM_THREAD_LEVEL is none of these or Kokkos refuses its options, on all
  ///         ranks; MPI has ended already
  /// Collective: over MPI_COMM_WORLD.
  Runtime(int& argc, char**& argv);

  /// The same in a program without options of its own:
  ///
  ///     seam::Runtime runtime(argc, argv, {.does = "Relaxes a plate.", .takes = "FILE"});
  ///
  /// --help and --version are answered and end the program; --checks and --debug-stall are taken as
  /// in program.hpp; any other option, or a word more, is refused in one line and ends it with 1.
  ///
  /// @param argc, argv  main's; of them the word that the program may be given is left in argv[1]
  /// Collective: over MPI_COMM_WORLD.
  Runtime(int& argc, char**& argv, program_usage const& usage);

  Runtime(Runtime const&) = delete;
  Runtime& operator=(Runtime const&) = delete;

  /// Waits for all ranks and stops what the constructor started. Collective: over MPI_COMM_WORLD.
  ~Runtime();

  /// All ranks, fully connected.
  Communicator const& world() const noexcept;
  operator Communicator const&() const noexcept { return world(); }
  operator mpi::comm_view() const noexcept { return world(); }

  int rank() const { return world().rank(); }
  int size() const { return world().size(); }

  /// Machines that the ranks run on.
  int num_nodes() const noexcept;

  /// True if all ranks can run at the same time: on no machine are there more of them than cores
  /// that they may run on.
  bool has_core_for_each() const noexcept;

  /// Threads that Kokkos computes with on this rank.
  int num_threads() const;

  /// One line: "seam 0.1.0: 4 ranks on 1 node, 2 threads each (Kokkos 3.4.1 OpenMP, Open MPI
  /// v4.1.4)", the threads being this rank's. Local.
  std::string describe() const;

private:
  Runtime(int& argc, char**& argv, program_usage const* usage);

  struct state;
  std::unique_ptr<state> state_;
};

} // namespace seam
