/// Names of fields in files.
#pragma once

#include <span>
#include <string>

namespace seam::detail {

/// Checks the names of fields that go into one file.
/// @throws usage_error  two names are the same, or one has other characters than letters, digits,
///         '_', '-' and '.', a letter or '_' first
/// Local.
void check_field_names(std::span<std::string const> names);

} // namespace seam::detail
