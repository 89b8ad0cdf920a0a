/// Result files: the times of one run's experiments below a head that says where they were taken.
///
///     # seam-guidelines: 1
///     # library: Open MPI v4.1.4
///     # experiments: 3360 7f3a...            their number, and the fingerprint of their set
///     setup,...,reorder,status,seconds
///     Neighbor_alltoall,...,0,ok,1.2e-06 1.3e-06 1.2e-06
///     # end: 3360
///
/// A file without its last line is that of a run that has not ended. Here files are written, and
/// continued; the program in Python reads them.
#pragma once

#include "experiments/experiment.hpp"

#include <cstdint>
#include <utility>

namespace guidelines {

/// The outcome of an experiment.
enum class status {
  ok,
  wrong, ///< the call left another result than it should: its times are not known
  absent ///< the MPI library does not have the call
};

/// One experiment with its times.
struct result {
  levels experiment;
  status outcome = status::ok;
  std::vector<double> seconds{}; ///< [repetitions], the maximum over the processes; none unless ok
};

/// The whole lines of a result file that another run has begun.
struct begun_results {
  std::int64_t num_experiments = 0;
  bool is_complete = false; ///< the run has come to its end
  std::size_t bytes = 0;    ///< of these lines
};

/// Looks at what another run has left of the same measurement.
/// @param text      of the file, whose last line may be cut
/// @param name      of the file, for errors
/// @param expected  the experiments in the order of the input
/// @param new_head  results_head() of this run
/// @throws usage_error  the file has other columns or experiments, or is that of another machine,
///         library, build or setting; the line names file, line and column
/// Local.
begun_results find_begun_results(std::string_view text, std::string const& name,
                                 std::vector<levels> const& expected, std::string_view new_head);

/// The first lines of a result file, up to the names of the columns.
/// @param entries  keys and values
std::string results_head(std::vector<std::pair<std::string, std::string>> const& entries);

/// The line of one result; the last line of the file.
std::string line_of(result const& made);
std::string results_end(std::int64_t num_experiments);

} // namespace guidelines
