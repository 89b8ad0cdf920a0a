/// Files that a rank has open by itself, to move bytes at places that it knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace seam::detail {

/// A file that this rank has open. All members are local.
/// Threads: any, at places apart.
class open_file {
public:
  enum class access { reading, writing };

  /// @throws usage_error  "checkpoint: cannot open 'u.h5': ...": the system refuses
  /// @param what  the first word of errors
  open_file(std::string const& path, access how, char const* what);
  open_file(open_file&& other) noexcept;
  open_file(open_file const&) = delete;
  open_file& operator=(open_file const&) = delete;
  ~open_file();

  int number() const noexcept { return number_; } ///< the system's

  /// Moves all of `bytes` from or to `offset`.
  /// @return  0, the system's error number, or -1: the file ends before, the disk takes no more
  int read_at(std::int64_t offset, std::span<std::byte> bytes) const;
  int write_at(std::int64_t offset, std::span<std::byte const> bytes) const;

private:
  int number_;
};

} // namespace seam::detail
