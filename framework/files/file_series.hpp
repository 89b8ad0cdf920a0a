/// Lists of numbered files for ParaView, which shows them as one series in time.
///
///     file_series series(grid.base(), "u.vtkhdf");            // writes u.vtkhdf.series
///     ...
///     write(grid, u, numbered_path("u.vtkhdf", step));
///     series.add(numbered_path("u.vtkhdf", step), time);
///
/// ParaView opens the list like a file of the series, from version 5.5 on. It is JSON:
///
///     {"file-series-version":"1.0","files":[{"name":"u-0000.vtkhdf","time":0}]}
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>
#include <utility>
#include <vector>

namespace seam {

/// The list of one series. It is rewritten after each file, so that it can be read at any time.
/// Threads: one at a time.
class file_series {
public:
  /// @param path  of the files without their numbers; that of the list ends with ".series"
  /// @throws usage_error  the list cannot be written (on all ranks)
  /// Collective: over `over`, which outlives this object.
  file_series(mpi::comm_view over, std::string const& path);

  /// Adds a file in the folder of the list.
  /// @param time  a finite number
  /// @throws usage_error  it is not, or the list cannot be written (on all ranks)
  /// Collective: over the ranks of the list.
  void add(std::string const& file, double time);

  /// Adds a file of an earlier run, which the next call of add() writes, if it is there.
  /// Local.
  void add_older(std::string const& file, double time);

private:
  mpi::comm_view over_;
  std::string path_;
  std::vector<std::pair<std::string, double>> files_; ///< name and time, on rank 0
};

} // namespace seam
