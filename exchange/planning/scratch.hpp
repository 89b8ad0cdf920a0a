/// Scratch memory: buffers that a schedule owns, for values that arrive or that it combines.
#pragma once

#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

namespace seam::detail {

/// Allocates uninitialized memory that lives as long as the schedule. Local.
std::byte* scratch(schedule& plan, std::int64_t bytes);

/// Allocates scratch memory for elements like `values`, which need not begin at their address nor
/// end with their last extent. Local.
elements scratch_for(schedule& plan, elements const& values);

/// The memory of elements of one datatype as one block, gaps included. Local.
block whole(elements const& values);

} // namespace seam::detail
