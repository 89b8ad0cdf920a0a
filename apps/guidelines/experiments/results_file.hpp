/// Result files: the times of one run's experiments below a head that says where they were taken.
///
///     # seam-guidelines: 1
///     # library: Open MPI v4.1.4
///     # experiments: 3360 7f3a...            their number, and the fingerprint of their set
///     setup,...,reorder,status,seconds
///     Neighbor_alltoall,...,0,ok,1.2e-06 1.3e-06 1.2e-06
///     # end: 3360
///
/// A file without its last line is that of a run that has not ended.
#pragma once

#include "experiments/csv.hpp"
#include "experiments/experiment.hpp"

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
  int line = 0;                  ///< of the file that it has been read from
};

/// The contents of a result file.
struct results {
  std::string file;
  csv_table table; ///< its head; no rows
  std::vector<result> experiments{};
  bool is_complete = false; ///< the run has come to its end

  /// The value of an entry of the head.
  /// @throws usage_error  there is none
  placed_word const& head(std::string_view key) const;
};

/// The entries of the head that are the same in all files that one analysis compares.
inline constexpr std::array<std::string_view, 4> machine_entries{"machine", "library", "build",
                                                                 "settings"};

/// Reads a result file.
/// @param cut           may_be_cut: of a run that may not have ended, whose last line may be cut
/// @throws usage_error  the file is malformed or, unless it may be, not complete; the line names
///         file, line and column
/// Local.
results parse_results(std::string_view text, std::string const& name,
                      last_row cut = last_row::must_be_whole);

/// The first lines of a result file, up to the names of the columns.
/// @param entries  keys and values
std::string results_head(std::vector<std::pair<std::string, std::string>> const& entries);

/// The line of one result; the last line of the file.
std::string line_of(result const& made);
std::string results_end(std::int64_t num_experiments);

} // namespace guidelines
