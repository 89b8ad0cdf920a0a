/// Errors: the exceptions that a caller sees, and the assertion of seam's own invariants.
///
///     usage_error    a caller's mistake: always checked, and the same on every rank where the call
///                    is collective (see agreement.hpp)
///     mpi_error      a failing MPI call, on the rank where it failed
///     SEAM_ASSERT    a broken invariant, which ends a checked build
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace seam::detail {

/// The place of a call. As a default argument, here() gives the place of the caller.
///
///     void refuse(std::string_view line, source_place place = source_place::here());
struct source_place {
  char const* file; ///< path as the compiler was given it
  int line;

  static constexpr source_place here(char const* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

} // namespace seam::detail

namespace seam {

/// The base of all exceptions of seam. what() is one line: asked, expected, found, where.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A caller's mistake. If on_all_ranks() is true, every rank of the call throws the same line.
class usage_error : public error {
public:
  explicit usage_error(std::string const& line, bool on_all_ranks = false, int error_class = 0)
      : error(line), on_all_ranks_(on_all_ranks), error_class_(error_class) {}

  /// True if the call was collective and all its ranks throw this same error.
  bool on_all_ranks() const noexcept { return on_all_ranks_; }

  /// MPI's class of the mistake, such as MPI_ERR_COUNT; 0 where MPI has none for it.
  int error_class() const noexcept { return error_class_; }

private:
  bool on_all_ranks_;
  int error_class_;
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
std::string where(detail::source_place place = detail::source_place::here());

/// Throws a usage_error that ends with the place it was thrown from. Local.
[[noreturn]] void refuse(std::string_view line,
                         detail::source_place place = detail::source_place::here());

/// Throws a usage_error with MPI's class of the mistake, such as MPI_ERR_COUNT, for C programs.
/// Local.
[[noreturn]] void refuse(int error_class, std::string_view line,
                         detail::source_place place = detail::source_place::here());

namespace detail {

/// Prints the broken invariant and ends the program.
[[noreturn]] void assertion_failed(char const* condition, std::string const& values,
                                   source_place place) noexcept;

} // namespace detail

} // namespace seam

/// Ends a checked build (SEAM_CHECKED) with `values` printed if `condition` does not hold.
#if defined(SEAM_CHECKED) && SEAM_CHECKED
#define SEAM_ASSERT(condition, values)                                                             \
  ((condition) ? void(0)                                                                           \
               : ::seam::detail::assertion_failed(#condition, (values),                            \
                                                  ::seam::detail::source_place::here()))
#else
#define SEAM_ASSERT(condition, values) void(sizeof(!(condition)))
#endif
