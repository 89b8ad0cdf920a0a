/// HDF5 files that each rank reads on its own. Errors are usage_errors that name file and array. Who
/// reads arrays has the turn (hdf5_turn).
#pragma once

#include <seam/framework/files/hdf5_file.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// A file that is open for reading. All members are local.
class hdf5_input {
public:
  /// @throws usage_error  the file is missing, no HDF5 file, or truncated
  explicit hdf5_input(std::string path);
  hdf5_input(hdf5_input const&) = delete;
  hdf5_input& operator=(hdf5_input const&) = delete;
  ~hdf5_input();

  std::string const& path() const noexcept { return path_; }
  std::int64_t bytes() const noexcept { return bytes_; } ///< of the file

  bool has(std::string const& name) const;

  /// A group's members by name; none if there is no such group.
  std::vector<std::string> members(std::string const& group) const;

  /// A text attribute of a group; empty if there is none, or it is no text.
  std::string text(std::string const& group, char const* attribute) const;

  /// The group's attribute "Version"; zeros if it is not of two integers.
  std::pair<int, int> version(std::string const& group) const;

  [[noreturn]] void refuse(std::string_view why) const;

  operator hdf5_id() const noexcept { return *file_; }

private:
  std::string path_;
  std::int64_t bytes_;
  std::optional<hdf5_object> file_;
};

/// An array of numbers in a file, of one or two axes.
class hdf5_array {
public:
  /// @throws usage_error  the array does not exist, or is larger than the file can hold
  hdf5_array(hdf5_input const& from, std::string name);

  std::string const& name() const noexcept { return name_; }
  bool is_numeric() const noexcept { return is_numeric_; }
  bool is_list() const noexcept { return extents_.size() == 1; }
  std::int64_t num_rows() const noexcept { return extents_.empty() ? 0 : extents_[0]; }
  std::int64_t width() const noexcept { return extents_.size() < 2 ? 1 : extents_[1]; }

  /// Reads rows `first` to `first + count` - 1 and converts them to T.
  /// @throws usage_error  HDF5 cannot read them
  template <class T>
  std::vector<T> rows(std::int64_t first, std::int64_t count) const {
    std::vector<T> values(count * width());
    read(format_of<T>(), first, count, values.data());
    return values;
  }

  /// Checks the array's shape.
  /// @throws usage_error  the array has another shape or is not numeric
  void require(std::int64_t num_rows, std::int64_t width) const;

  /// Throws a usage_error about an element: "'u.vtkhdf': Types[7]: ...".
  [[noreturn]] void refuse_at(std::int64_t element, std::string_view why) const;

private:
  std::int64_t most_numbers(double wanted) const;
  void check_size() const;
  void check_chunks() const;
  void read(number_format const& format, std::int64_t first, std::int64_t count, void* into) const;

  hdf5_input const& from_;
  std::string name_;
  hdf5_object dataset_;
  bool is_numeric_ = false;
  std::vector<std::int64_t> extents_;
};

} // namespace seam::detail
