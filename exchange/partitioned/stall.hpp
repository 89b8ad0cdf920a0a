/// Lines about partitioned operations that have been active for long (waiting/stall.hpp), whether a
/// thread waits for them or not: they list the partitions that are missing, edge by edge.
#pragma once

#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <string>
#include <vector>

namespace seam::detail {

/// The line that lists the partitions that `parts` lack. Local.
std::string missing_of(partitioned_parts const& parts);

/// Partitions as text: "partitions 1, 3", "partition 2"; of many the first eight. Local.
std::string list_of_partitions(std::vector<int> const& partitions);

} // namespace seam::detail
