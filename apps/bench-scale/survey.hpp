/// Survey: measures one operation after the other and collects the rows of the table, for
/// people, and as comma-separated values for growth.py.
///
///     survey all(runtime, wanted, "messages");
///     all.measure("communicator", [&] { return std::make_shared<Communicator>(world.dup()); });
#pragma once

#include "memory.hpp"
#include "mpi_calls.hpp"

#include <seam/runtime.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scale_bench {

/// What is counted, each number the largest of any rank.
inline constexpr std::array names_of_counts{
    "sends",       // messages from process to process
    "collectives", // collective calls of MPI
    "messages",    // sends and those of collective calls, see mpi_calls.hpp
    "bytes",       // in all messages [bytes]
    "allocations", // calls of operator new
    "kept",        // from operator new while the result lives [bytes]
    "peak",        // from operator new during the operation [bytes]
    "others",      // peak of ranks other than rank 0, which plans for all [bytes]
    "process"};    // from malloc while the result lives, MPI's included [bytes]

/// The cost of one operation.
struct row {
  std::string operation; ///< "Grid<3>"
  std::string transport; ///< "messages" or "shared"
  int ranks;
  std::int64_t cells; ///< for each rank
  int edges;          ///< of each rank in graphs and sparse exchanges
  double seconds;     ///< median; negative: not timed [s]
  std::array<std::int64_t, names_of_counts.size()> counts;
};

/// The rows of one number of ranks, in the order of the operations.
using table = std::vector<row>;

/// The table as text, one line for each row.
std::string text_of(table const& rows);

/// The table as comma-separated values with a line of names.
std::string csv_of(table const& rows);

/// The command-line options of seam-bench-scale.
struct options {
  std::int64_t cells = 4096; ///< of each rank's block
  int edges = 6;             ///< of each rank in graphs and sparse exchanges
  int repetitions = 5;       ///< of each timing
  int node_size = 16;        ///< ranks that share memory
  std::vector<std::string> transports{"messages", "shared"};
  std::vector<std::string> operations; ///< that are measured; none: all
  std::string csv;
};

/// An operation: does it once and returns its result, or nothing.
using operation = std::function<std::shared_ptr<void>()>;

class survey {
public:
  /// @param transport  "messages" or "shared", for the table
  /// Collective: over the runtime, which outlives this object.
  survey(seam::Runtime& runtime, options const& wanted, std::string transport);

  /// Adds a row: the counts of one call of `act`, the memory while its result lives, and the median
  /// time of further calls if each rank has a core of its own. Nothing if the operation is not wanted.
  /// Collective: over the runtime.
  void measure(std::string const& name, operation const& act);

  /// Adds a row of what this process had used when this object was made, without a time.
  /// Collective: over the runtime.
  void add_start(std::string const& name);

  /// All ranks, with shared memory as this survey has it.
  seam::Communicator const& world() const noexcept { return world_; }

  options const& wanted() const noexcept { return wanted_; }
  table const& rows() const noexcept { return rows_; }

private:
  void add(std::string const& name, mpi_calls const& calls, memory const& before,
           memory const& after);
  double time(std::string const& name, operation const& act);
  int calls_at_a_time(operation const& act);

  seam::Runtime& runtime_;
  options const& wanted_;
  std::string transport_;
  mpi_calls calls_at_start_ = calls_until_now();
  memory memory_at_start_ = memory_now();
  seam::Communicator world_;
  table rows_;
};

// What the survey measures, part by part of the library. Each is collective over all.world().

/// Messages in a ring of all ranks: one of 8 bytes, several at a time, a long one.
void measure_network(survey& all);

/// Communicators, graphs, the order of ranks, and sparse exchanges by each algorithm.
void measure_exchange(survey& all);

/// Grids of two and three dimensions, fields, halos, steps of Life and Jacobi, and checkpoints.
void measure_grids(survey& all);

/// Meshes, their partition and migration, halos, and a step of diffusion.
void measure_meshes(survey& all);

} // namespace scale_bench
