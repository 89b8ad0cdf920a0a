/// The name that a mistyped word most likely stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace seam::detail {

/// Returns the name that the fewest edits make of `word`; the first of several. Empty if even that
/// takes more edits than a third of the word's length, rounded up.
/// Local.
/// Source: V. Levenshtein (1966).
std::string nearest_name(std::string_view word, std::span<std::string const> names);

} // namespace seam::detail
