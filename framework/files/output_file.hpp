/// Output files: written beside their place, and moved there when they are whole and on the disk.
/// Whatever goes wrong before, an older file of that name stays as it was; also if the machine
/// loses its power, the name leads to the old file or to the whole new one. What a killed run
/// leaves unfinished is removed by the next one that writes into the folder.
///
///     require_writable(grid.base(), "u.png");       // before the long computation
///     ...
///     output_file file(grid.base(), "u.png");
///     if (grid.rank() == 0)
///       write_to(file.temporary());
///     file.commit();
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

/// Ranks that may have written into a file.
enum class written { by_all, by_rank_0 };

/// One file that the ranks of a communicator write together, or that rank 0 writes for all.
/// Threads: one at a time.
class output_file {
public:
  /// Creates an empty file beside `path`, whose name may be as long as the file system takes. A
  /// link is followed: its target is what will be replaced.
  /// @throws usage_error  `path` names no file, a directory or a device, or cannot be written there
  /// Collective: over `over`, which outlives this object.
  output_file(mpi::comm_view over, std::string const& path);
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;

  /// Removes the unfinished file unless commit() was called. Local.
  ~output_file();

  /// Where the file is to be written until commit(). The same on all ranks.
  std::string const& temporary() const noexcept { return temporary_; }

  /// Makes the disk set room aside for a temporary file of this length, where it can. [bytes]
  /// @throws usage_error  there is not so much
  /// Collective.
  void reserve(std::int64_t bytes) const;

  /// Brings the file to the disk and then to its place. It must be closed on all ranks.
  /// @param by  who has written into it, and so makes the machine write it to the disk
  /// @throws usage_error  the disk refuses what was written, or the file cannot be moved
  /// Collective.   Cost: each writer waits for the disk.
  void commit(written by = written::by_all);

private:
  mpi::comm_view over_;
  std::string path_, place_, temporary_;
  bool is_committed_ = false;
};

/// Throws what output_file would, or reserve() for a small file, and leaves nothing behind.
/// Collective: over `over`.
void require_writable(mpi::comm_view over, std::string const& path);

/// The same for the files of a series: those that exist must be such that they can be replaced.
/// @param last  the largest number of a file; the others are the multiples of `step` below it
/// Collective: over `over`.   Cost: rank 0 looks at each name in the folder.
void require_writable_series(mpi::comm_view over, std::string const& path, std::int64_t last,
                             std::int64_t step);

/// A file that a program is asked to write.
struct wanted_output {
  std::string option; ///< by which it is asked for: "--output"
  std::string path;   ///< empty: none is wanted
  std::string suffix; ///< that it must have: ".png"
};

/// Makes sure that a program may write all it is asked for, before it computes.
/// @param input  what it reads; may be empty
/// @throws usage_error  an output has another suffix, is the input or another output, by whatever
///         path, or cannot be written (on all ranks)
/// Collective: over `over`.
void require_outputs(mpi::comm_view over, std::string const& input,
                     std::vector<wanted_output> const& outputs);

/// Makes `path` a file that holds `text`, of which rank 0's counts.
/// @throws usage_error  as output_file does, or the disk is full (on all ranks)
/// Collective: over `over`.
void write_text(mpi::comm_view over, std::string_view text, std::string const& path);

/// The path of one file of a series: the number, of four digits at least, before the suffix.
/// "out/life.png" and 17 give "out/life-0017.png". Local.
std::string numbered_path(std::string const& path, std::int64_t number);

} // namespace seam
