/// Tables: what each operation costs at one number of ranks, for people, and as comma-separated
/// values for growth.py, which compares them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scale_bench {

/// The cost of one operation. Each number is the largest of any rank.
struct row {
  std::string operation; ///< "Grid<3>"
  std::string transport; ///< "messages" or "shared"
  int ranks = 0;
  std::int64_t cells = 0;       ///< for each rank
  int edges = 0;                ///< of each rank in graphs and sparse exchanges
  double seconds = 0;           ///< median; negative: not timed [s]
  std::int64_t sends = 0;       ///< messages from process to process
  std::int64_t collectives = 0; ///< collective calls of MPI
  std::int64_t messages = 0;    ///< sends and those of collective calls, see mpi_calls.hpp
  std::int64_t bytes = 0;       ///< in all messages [bytes]
  std::int64_t allocations = 0; ///< calls of operator new
  std::int64_t kept = 0;        ///< from operator new while the result lives [bytes]
  std::int64_t peak = 0;        ///< from operator new during the operation [bytes]
  std::int64_t others = 0;      ///< peak of ranks other than rank 0, which plans for all [bytes]
  std::int64_t process = 0;     ///< from malloc while the result lives, MPI's included [bytes]
};

/// The rows of one number of ranks, in the order of the operations.
using table = std::vector<row>;

/// The table as text, one line for each row.
std::string text_of(table const& rows);

/// The table as comma-separated values with a line of names.
std::string csv_of(table const& rows);

} // namespace scale_bench
