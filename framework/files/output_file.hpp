/// Output files: written beside their place, and renamed when they are whole and on the disk. After
/// an error an older file of that name stays as it was; even after a power failure the name leads
/// to the old file or to the whole new one. The next program that writes into the folder removes
/// the unfinished files of killed programs. From the first output on a file that becomes larger than
/// the system allows is an error, and the signal SIGXFSZ no longer ends the program.
///
///     require_writable(grid.base(), "u.png");       // before the long computation
///     ...
///     output_file file(grid.base(), "u.png");
///     file.write_on_rank_0([&](std::string const& temporary) { write_to(temporary); });
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

/// One file that the ranks of a communicator write together, or that rank 0 writes for all.
/// Threads: one at a time.
class output_file {
public:
  /// Creates an empty file beside `path`, whose name may be as long as the file system allows. If
  /// `path` is a link, commit() replaces its target.
  /// @throws usage_error  `path` names no file, a directory or a device, or cannot be written
  /// Collective: over `over`, which outlives this object.
  output_file(mpi::comm_view over, std::string const& path);
  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;

  /// Removes the unfinished file unless commit() was called.
  /// Local.
  ~output_file();

  /// The path to write to until commit(), the same on all ranks.
  std::string const& temporary() const noexcept { return temporary_; }

  /// Allocates disk space for the temporary file, where the file system can.
  /// @param bytes         length of the file [bytes]
  /// @throws usage_error  the disk has less space
  /// Collective: over the ranks of the file.
  void reserve(std::int64_t bytes) const;

  /// Flushes the file to the disk and renames it. It must be closed on all ranks.
  /// @throws usage_error  the disk refuses the data, or the file cannot be renamed
  /// Collective: over the ranks of the file.
  /// Cost: each rank waits for the disk.
  void commit();

  /// Calls write(temporary()) on rank 0, which flushes and renames the file then.
  /// @throws usage_error  as commit(), and what `write` throws (on all ranks)
  /// Collective: over the ranks of the file.
  void write_on_rank_0(std::function<void(std::string const& temporary)> const& write);

private:
  void rename();

  mpi::comm_view over_;
  std::string path_, place_, temporary_;
  bool is_committed_ = false;
};

/// Checks that a small file can be written at `path`, and leaves no file behind.
/// @throws usage_error  as output_file and reserve() (on all ranks)
/// Collective: over `over`.
void require_writable(mpi::comm_view over, std::string const& path);

/// Checks that the files of a series can be written, and existing ones be replaced.
/// @param last  the largest number of a file
/// @param step  the numbers are the multiples of `step` up to `last`
/// @throws usage_error  as require_writable() (on all ranks)
/// Collective: over `over`.
/// Cost: rank 0 reads each name in the folder.
void require_writable_series(mpi::comm_view over, std::string const& path, std::int64_t last,
                             std::int64_t step);

/// A file that a program is asked to write.
struct wanted_output {
  std::string option; ///< the option that names it: "--output"
  std::string path;   ///< empty: none is wanted
  std::string suffix; ///< required suffix: ".png"
};

/// Checks, before a program computes, that it can write all its outputs.
/// @param input  path of the file that it reads; may be empty
/// @throws usage_error  an output has another suffix, is the input or another output, also by
///         another path, or cannot be written (on all ranks)
/// Collective: over `over`.
void require_outputs(mpi::comm_view over, std::string const& input,
                     std::vector<wanted_output> const& outputs);

/// Writes rank 0's `text` into the file at `path`, which replaces an older one.
/// @throws usage_error  as output_file, or the disk is full (on all ranks)
/// Collective: over `over`.
void write_text(mpi::comm_view over, std::string_view text, std::string const& path);

/// Prints on rank 0 that a program has written these files: "wrote u.vtkhdf, u.png". Empty names are
/// left out; nothing is printed if all are empty.
/// Local.
void print_written(mpi::comm_view over, std::vector<std::string> paths);

/// Returns the path of one file of a series, with the number, of four digits at least, before the
/// suffix: "out/life.png" and 17 give "out/life-0017.png".
/// Local.
std::string numbered_path(std::string const& path, std::int64_t number);

namespace detail {

/// Writes what the ranks have written into the file at `path` to the disk. It must be closed.
/// @throws usage_error  the disk refuses the data (on all ranks)
/// Collective: over `over`.
/// Cost: each node waits for the disk.
void flush_to_disk(mpi::comm_view over, std::string const& path);

/// As above, what this node has written. Local.
void flush_to_disk(std::string const& path);

} // namespace detail

} // namespace seam
