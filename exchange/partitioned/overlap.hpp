/// Overlaps: memory that a partitioned operation writes must not overlap its other buffers.
#pragma once

#include <seam/exchange/partitioned/detail/buffer.hpp>

#include <span>

namespace seam::detail {

/// Refuses bytes that are written twice, or written and read. For checked mode.
/// @param call  begins the error line
/// @throws usage_error  of the class MPI_ERR_BUFFER
/// Local.
/// Cost: looks at each row of each buffer.
void check_apart(char const* call, std::span<partitioned_buffer const> read,
                 std::span<partitioned_buffer const> written);

} // namespace seam::detail
