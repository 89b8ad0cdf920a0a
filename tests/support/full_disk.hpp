/// Disks that are too small for the files of a test.
#pragma once

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <sys/mount.h>
#include <sys/resource.h>

#include <filesystem>
#include <mutex>
#include <string>

namespace seam::testing {

/// Makes writes of this process beyond so many bytes of a file fail, as long as it lives: "File too
/// large". Threads of the process may have one each, of which the first to be made counts.
class file_size_limit {
public:
  explicit file_size_limit(rlim_t bytes) {
    std::scoped_lock const lock(mutex_);
    if (count_++ > 0)
      return;
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const wanted{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &wanted);
  }
  file_size_limit(file_size_limit const&) = delete;
  file_size_limit& operator=(file_size_limit const&) = delete;
  ~file_size_limit() {
    std::scoped_lock const lock(mutex_);
    if (--count_ > 0)
      return;
    ::setrlimit(RLIMIT_FSIZE, &before_);
  }

private:
  static inline std::mutex mutex_;
  static inline int count_ = 0;
  static inline rlimit before_{};
};

/// A disk of so many KiB in memory, mounted on `folder`, which rank 0 makes. Collective.
class small_disk {
public:
  small_disk(mpi::comm_view over, std::filesystem::path folder, int kibibytes)
      : over_(over), folder_(std::move(folder)) {
    int mounted = 0;
    if (over_.rank() == 0) {
      std::filesystem::create_directories(folder_);
      auto const options = "size=" + std::to_string(kibibytes) + "k";
      mounted = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, options.c_str()) == 0 ? 1 : 0;
    }
    mpi::bcast(over_, std::span(&mounted, 1), 0);
    is_there_ = mounted != 0;
  }
  small_disk(small_disk const&) = delete;
  small_disk& operator=(small_disk const&) = delete;
  ~small_disk() {
    mpi::barrier(over_);
    if (is_there_ && over_.rank() == 0)
      ::umount2(folder_.c_str(), MNT_DETACH);
  }

  /// False if this process may not mount disks. The same on all ranks.
  bool is_there() const { return is_there_; }

private:
  mpi::comm_view over_;
  std::filesystem::path folder_;
  bool is_there_ = false;
};

} // namespace seam::testing
