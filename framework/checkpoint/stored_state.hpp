/// State of a program's own in checkpoints, beside fields and values: a function stored(), in the
/// namespace of the state's type, says what array of bytes it is and which runs of it a rank has.
///
///     seam::stored_array stored(my_cells const& cells) {
///       return {.name = "cells", .identity = "cells of a board", .element = format, .extents = {n},
///               .visit_runs = [=](seam::byte_window window, bool reading,
///                                 seam::run_visitor const& visit) { ... }};
///     }
///     save(runtime, "run.h5", my_cells{...});
///
/// stored_rows() and rows_to_read() are for rows with keys, which checkpoints order by these.
#pragma once

#include <seam/framework/checkpoint/detail/stored_rows.hpp>

namespace seam {

using detail::byte_window;
using detail::element_format;
using detail::element_format_of;
using detail::find_row_positions;
using detail::rows_to_read;
using detail::run_visitor;
using detail::stored_array;
using detail::stored_rows;
using detail::stored_run;

} // namespace seam
