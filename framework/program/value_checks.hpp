/// Checks of the form of an option's value, which refuse it while the command line is read, before
/// MPI starts.
///
///     cli.add_option("--picture", wanted.picture)->check(seam::name_ends_with({".png"}));
///     cli.add_option("--rule", wanted.rule)->check(seam::is_read_by(parse_rule));
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace seam {

/// Describes what is wrong with a value: "'u.gif' (expected ...)"; empty if it is right.
/// Local.
using value_check = std::function<std::string(std::string const& value)>;

/// Accepts file names that end with one of `endings`, which outlive the check.
value_check name_ends_with(std::initializer_list<std::string_view> endings);

/// Accepts what `parse` reads without an error.
value_check is_read_by(std::function<void(std::string const& value)> parse);

} // namespace seam
