/// Overlaps: memory that a partitioned operation writes lies apart from all else that it touches.
#pragma once

#include <seam/exchange/partitioned/buffer.hpp>

#include <span>

namespace seam {

/// Refuses, in the name of `call`, bytes that are written twice, or written and read. Local: looks
/// at each row of each buffer; for checked mode.
/// @throws usage_error  of the class MPI_ERR_BUFFER
void check_apart(char const* call, std::span<partitioned_buffer const> read,
                 std::span<partitioned_buffer const> written);

} // namespace seam
