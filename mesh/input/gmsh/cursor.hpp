/// Cursors: positions in a Gmsh file, which read the headers between records and step over records.
#pragma once

#include <seam/mesh/input/gmsh/runs.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// A position in this rank's range of the file. Errors are usage_errors that name the place.
class msh_cursor {
public:
  msh_cursor(msh_cursor const&) = delete;
  msh_cursor& operator=(msh_cursor const&) = delete;
  virtual ~msh_cursor() = default;

  /// True if nothing more begins in the range.
  virtual bool is_at_end() = 0;

  virtual msh_place place() const = 0;

  /// Takes a line, and returns it without the blanks at its end; of a very long line only the
  /// beginning. It stays valid until the next call.
  virtual std::string_view line() = 0;

  /// Takes numbers: a line of them in text, else one of widths[k] bytes for each k.
  /// @param expected  what the numbers are, for the error line
  virtual void numbers(std::initializer_list<int> widths, std::span<std::int64_t> into,
                       std::string_view expected) = 0;

  /// Steps over the run's first records, at most `limit` and no more than the range has.
  /// @return  the number of these records
  virtual std::int64_t pass(msh_run const& run, std::int64_t limit) = 0;

  /// Steps over the contents of a section that is not read: to a line that begins with '$', in a
  /// binary file with "$End", or to the end.
  virtual void pass_to_section() = 0;

  /// The number of consecutive elements whose headers are equal to the header of the next one,
  /// which was taken last. At least 1, at most `limit`.
  virtual std::int64_t count_alike(msh_run const& run, std::int64_t limit) = 0;

  /// The next nodes in a binary file of 2.2 that have as many parameters, as a run: at least 1, at
  /// most `limit`.
  virtual msh_run parametric_nodes(std::int64_t limit) = 0;

  file_window const& file() const noexcept { return file_; }
  [[noreturn]] void refuse_here(std::string_view why) const { refuse_msh(file_, place(), why); }

protected:
  explicit msh_cursor(file_window& file) : file_(file) {}
  file_window& file_; // NOLINT(cppcoreguidelines-non-private-member-variables-in-classes)
};

/// A cursor over the lines that begin in a range of bytes, without the blank ones. Reads the whole
/// range once at first and marks lines, so that steps over many lines do not read them again.
class msh_text_cursor final : public msh_cursor {
public:
  /// @param body  where the range of the first rank begins
  msh_text_cursor(file_window& file, msh_place const& body, std::int64_t begin, std::int64_t end);

  std::int64_t num_lines() const noexcept { return num_lines_; }

  /// Goes back to the begin of the range, where the line of this number begins.
  void restart(std::int64_t number);

  /// The number of the line at the end of the range.
  std::int64_t end_number() const noexcept { return first_number_ + marks_.back().line; }

  bool is_at_end() override { return taken_ == num_lines_; }
  msh_place place() const override { return {at_.offset, first_number_ + at_.line}; }
  std::string_view line() override;
  void numbers(std::initializer_list<int> widths, std::span<std::int64_t> into,
               std::string_view expected) override;
  std::int64_t pass(msh_run const& run, std::int64_t limit) override;
  void pass_to_section() override;
  std::int64_t count_alike(msh_run const&, std::int64_t) override { return 1; }
  msh_run parametric_nodes(std::int64_t) override { return {}; }

private:
  static constexpr std::int64_t marked = 4096; ///< lines between two marks

  void scan();
  void pass_line();
  void skip(std::int64_t count);

  std::int64_t begin_ = 0, end_ = 0, num_lines_ = 0, num_sections_ = 0;
  std::vector<msh_place> marks_; ///< of lines 0, `marked`, ... and the end; numbers from 0
  std::int64_t first_number_ = 0, taken_ = 0;
  msh_place at_; ///< of the next line, numbers from 0
  std::string line_;
};

/// A cursor over the rest of a binary file from `begin` on.
class msh_binary_cursor final : public msh_cursor {
public:
  msh_binary_cursor(file_window& file, std::int64_t begin) : msh_cursor(file), offset_(begin) {}

  bool is_at_end() override { return offset_ >= file_.size(); }
  msh_place place() const override { return {offset_, 0}; }
  std::string_view line() override;
  void numbers(std::initializer_list<int> widths, std::span<std::int64_t> into,
               std::string_view expected) override;
  std::int64_t pass(msh_run const& run, std::int64_t limit) override;
  void pass_to_section() override;
  std::int64_t count_alike(msh_run const& run, std::int64_t limit) override;
  msh_run parametric_nodes(std::int64_t limit) override;

private:
  std::int32_t num_parameters_at(std::int64_t offset);
  std::int64_t bytes_of_entity(msh_run const& run);
  std::int64_t length_at(std::int64_t offset);

  std::int64_t offset_;
};

/// The T at position `from` of `bytes`.
template <class T>
T number_in(std::string_view bytes, std::int64_t from) {
  T value;
  std::memcpy(&value, bytes.data() + from, sizeof(T));
  return value;
}

} // namespace seam::detail
