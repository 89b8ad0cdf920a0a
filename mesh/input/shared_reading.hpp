/// Reading a format of the program's own by all ranks together: each reads its share of the bytes of
/// a file that no rank holds as a whole, and ids are checked where they have their homes.
///
///     file_window file("points.csv");
///     std::int64_t const begin = begin_of_share(over.rank(), file.size(), over.size());
///     std::int64_t const end = begin_of_share(over.rank() + 1, file.size(), over.size());
///     for (std::int64_t at = begin > 0 ? end_of_line(file, begin - 1) : 0; at < end;)
///       at = end_of_line(file, at);                       // a line that begins in this share
///     bool const is_unique = id_homes(over, ids).least_duplicate() == no_id;
#pragma once

#include <seam/exchange/numbering/shares.hpp>
#include <seam/mesh/input/file_window.hpp>
#include <seam/mesh/input/id_homes.hpp>

namespace seam {

using detail::begin_of_share;
using detail::end_of_line;
using detail::file_window;
using detail::id_homes;
using detail::no_id;

} // namespace seam
