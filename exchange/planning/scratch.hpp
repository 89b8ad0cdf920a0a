/// Rooms: memory that a schedule keeps for values that arrive or that it combines.
#pragma once

#include <seam/exchange/schedule/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

namespace seam {

/// Memory that belongs to a schedule; not written to before it is used. Local.
std::byte* scratch(schedule& of, std::int64_t bytes);

/// Memory of the schedule for elements like `what`, which need not begin at their address nor end
/// with their last extent. Local.
elements scratch_for(schedule& of, elements const& what);

/// Elements of one datatype in memory, whole: gaps included. Local.
block whole(elements const& what);

} // namespace seam
