/// Reports of stalls: with SEAM_DEBUG_STALL=N in the environment, a partitioned operation that has
/// been active for N seconds says on stderr which partitions of which edges it is waiting for.
#pragma once

#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <chrono>
#include <optional>

namespace seam {

/// After how long operations report; nothing: never. Local.
/// @throws usage_error  SEAM_DEBUG_STALL is no number of seconds
std::optional<std::chrono::duration<double>> time_before_report();

/// One line: what `parts` are waiting for. Local.
std::string stall_report(partitioned_parts const& parts, double seconds);

/// "partitions 1, 3", "partition 2", the first few of many. Local.
std::string list_of_partitions(std::vector<int> const& partitions);

} // namespace seam
