/// Checks of windows: what memory they may open, and which accesses may be made.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/point_to_point/window_targets.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <cstdint>

namespace seam::detail {

/// Refuses a communicator on which windows have no meaning, and memory that cannot be opened. Local.
void check_window(Communicator const& over, opened_memory const& own);

/// Refuses an access outside of the target's memory; counts in elements if units are elements.
/// @param call  begins the error line
/// @param at    displacement in the target's memory [units]
/// Local.
void check_span(char const* call, int target, extents const& memory, std::int64_t at,
                elements const& there);

/// Refuses an access whose two ends have different numbers of bytes. Local.
void check_bytes(char const* call, int target, elements const& here, elements const& there);

} // namespace seam::detail
