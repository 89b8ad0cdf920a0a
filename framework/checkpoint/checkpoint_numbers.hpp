/// The numbered files of checkpoints, "run-0007.h5", and the lock by which one job at a time writes
/// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seam::detail {

/// The numbers of the files of the series `path` ("run.h5") that exist, the largest first.
/// Local.
std::vector<std::int64_t> checkpoint_numbers(std::string const& path);

/// Removes all files of the series with numbers up to `last`, as far as it can.
/// Local.
void remove_checkpoints(std::string const& path, std::int64_t last);

/// A lock of a series, which is released at the end of its process if not before: it locks the file
/// "run.h5.lock" beside the series, which must not be a symbolic link, and removes it in the end.
/// Where the file system has no locks it does nothing.
class series_lock {
public:
  series_lock() = default;

  /// @throws usage_error  another job has the lock, or the file cannot be created
  /// Local.
  explicit series_lock(std::string const& path);
  series_lock(series_lock&& other) noexcept;
  series_lock& operator=(series_lock&& other) noexcept;
  ~series_lock();

private:
  std::string place_;
  int file_ = -1;
};

} // namespace seam::detail
