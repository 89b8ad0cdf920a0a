/// Places in source files, for error lines: as std::source_location, which clang 14 lacks.
#pragma once

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
