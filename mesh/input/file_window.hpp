/// A file that is read piece by piece and never held as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// One rank's view of a regular file: a buffer of fixed size that moves to the requested bytes.
class file_window {
public:
  static constexpr std::int64_t capacity = std::int64_t{1} << 16; ///< [bytes]

  /// @throws error  the file cannot be opened or is not a regular file
  /// Local.
  explicit file_window(std::string path);
  file_window(file_window const&) = delete;
  file_window& operator=(file_window const&) = delete;
  ~file_window();

  std::string const& path() const noexcept { return path_; }
  std::int64_t size() const noexcept { return size_; } ///< [bytes]

  /// The `wanted` bytes from `offset` on, fewer where the file ends; valid until the next call.
  /// @param wanted  at most capacity
  /// @throws error  the file cannot be read
  std::string_view at(std::int64_t offset, std::int64_t wanted);

  /// The bytes from `offset` on that are in the buffer, at least one but at the end of the file.
  /// They stay valid until the next call.
  /// @throws error  the file cannot be read
  std::string_view ahead(std::int64_t offset);

private:
  void load(std::int64_t offset);

  std::string path_;
  int file_ = -1;
  std::int64_t size_ = 0;
  std::vector<char> buffer_;
  std::int64_t begin_ = 0, end_ = 0; ///< of the bytes in the buffer
};

/// The end of the line at `offset`: behind its '\n', or at the end of the file.
std::int64_t end_of_line(file_window& file, std::int64_t offset);

} // namespace seam::detail
