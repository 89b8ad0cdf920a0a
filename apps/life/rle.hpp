/// Run-length encoded patterns (.rle) in the dialect of Golly.
///
///     #C a comment
///     x = 3, y = 3, rule = B3/S23:T100,80
///     bo$2bo$3o!
#pragma once

#include "pattern.hpp"

namespace life {

/// Parses comments, the header with rule and board (:T torus, :P plane), and the cells up to '!'.
///
/// As in Golly the box grows if cells lie beyond the size of the header, a comment "#r 23/3" sets
/// the rule unless a header behind it does, the end of a line may divide a count, and '!' may be
/// missing.
/// @throws usage_error  the text is malformed; the line is "name:line:column: ..."
/// Local.
pattern parse_rle(std::string const& text, std::string const& name);

/// Returns the text of an RLE file, in lines of at most 70 characters.
/// @param drawn  `alive` ascends by row and column
std::string to_rle(pattern const& drawn);

} // namespace life
