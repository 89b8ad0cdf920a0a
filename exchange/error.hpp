/// Errors: what a caller sees when something is wrong, and the assertion for what must never be.
///
/// Three kinds. A caller's mistake is a `usage_error`: always checked, and the same on every rank
/// where the call is collective (see agreement.hpp). A failing MPI call is an `mpi_error` on the
/// rank where it happened. A broken invariant ends a checked build through SEAM_ASSERT.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace seam {

/// Root of everything that seam throws. what() is one line: asked, expected, found, where.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A caller's mistake. When `on_all_ranks()` holds, every rank of the call throws the same line.
class usage_error : public error {
public:
  explicit usage_error(std::string const& line, bool on_all_ranks = false)
      : error(line), on_all_ranks_(on_all_ranks) {}

  /// True if the call was collective and all its ranks throw this same error.
  bool on_all_ranks() const noexcept { return on_all_ranks_; }

private:
  bool on_all_ranks_;
};

/// A failed MPI call: the call's name, MPI's error class and MPI's own text.
class mpi_error : public error {
public:
  mpi_error(std::string const& line, int error_class) : error(line), error_class_(error_class) {}

  /// MPI's class of the error, as MPI_Error_class returns it.
  int error_class() const noexcept { return error_class_; }

private:
  int error_class_;
};

/// A place in seam's sources as it stands at the end of an error line: "folder/file.cpp:88".
std::string where(std::source_location place = std::source_location::current());

/// Throws a usage_error that ends with the place it was thrown from. Local.
[[noreturn]] void refuse(std::string_view line,
                         std::source_location place = std::source_location::current());

namespace detail {

/// Prints the broken invariant and ends the program.
[[noreturn]] void assertion_failed(char const* condition, std::string const& values,
                                   std::source_location place) noexcept;

} // namespace detail
} // namespace seam

/// Ends a checked build (SEAM_CHECKED) with `values` printed if `condition` does not hold.
#if defined(SEAM_CHECKED) && SEAM_CHECKED
#define SEAM_ASSERT(condition, values)                                                             \
  ((condition)                                                                                     \
       ? void(0)                                                                                   \
       : ::seam::detail::assertion_failed(#condition, (values), std::source_location::current()))
#else
#define SEAM_ASSERT(condition, values) void(sizeof(!(condition)))
#endif
