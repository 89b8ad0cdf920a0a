/// Checks of the form of an option's value, which refuse it while the command line is read, before
/// MPI starts.
///
///     cli.add_option("--picture", wanted.picture)->check(seam::name_ends_with({".png"}));
///     cli.add_option("--rule", wanted.rule)->check(seam::is_read_by(parse_rule));
///
/// And names of inputs in place of their paths:
///
///     cli.add_option("mesh", wanted.mesh)->transform(seam::input_by_name("meshes", {".msh"}));
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace seam {

/// Describes what is wrong with a value: "'u.gif' (expected ...)"; empty if it is right.
/// Local.
using value_check = std::function<std::string(std::string const& value)>;

/// Accepts file names that end with one of `endings`, which outlive the check.
value_check name_ends_with(std::initializer_list<std::string_view> endings);

/// Replaces a value by another one.
using value_change = std::function<std::string(std::string const& value)>;

/// Keeps a path where there is a file; replaces a name by the path of the file in `folder` that is named
/// so, perhaps with one of `suffixes` after it; keeps other values that have an extension.
/// @throws usage_error  (when called) a word that is none of the names, which the line lists
/// @param folder  of inputs that come with programs, below share/seam beside the program's own folder; or
///                the path of another one
value_change input_by_name(std::string const& folder,
                           std::initializer_list<std::string_view> suffixes);

/// Accepts what `parse` reads without an error.
value_check is_read_by(std::function<void(std::string const& value)> parse);

/// The number that the whole of `text` is in decimal notation; nothing if it is none, or one that T
/// cannot hold.
///
///     if (auto const cells = seam::decimal<int>("0x5"))   // nothing: C would read 5
///
/// @tparam T  a signed or unsigned integer, float, double or long double
/// Local.
template <class T>
std::optional<T> decimal(std::string_view text);

} // namespace seam
