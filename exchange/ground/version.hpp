/// The version of seam, for programs that work with several.
///
///     static_assert(seam::version >= seam::version_number{0, 1, 0});
///
/// A change of the first number, or of the second as long as the first is 0, may break programs; a
/// change of the second adds; one of the third mends. CHANGELOG.md says what has changed.
#pragma once

#include <compare>
#include <string>

namespace seam {

/// Three numbers, compared from the first on.
struct version_number {
  int major = 0, minor = 0, patch = 0;

  friend auto operator<=>(version_number const&, version_number const&) = default;
};

/// The version of these headers; that of CMake's package (seam_VERSION), and of --version.
inline constexpr version_number version{0, 1, 0};

/// "0.1.0". Local.
std::string to_string(version_number const& number);

} // namespace seam
