/// What partitioned operations that have been active for long say of themselves (../stall.hpp),
/// whether anybody waits for them or not: which partitions of which edges are missing.
#pragma once

#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <string>
#include <vector>

namespace seam {

/// What `parts` are waiting for. Local.
std::string missing_of(partitioned_parts const& parts);

/// "partitions 1, 3", "partition 2", the first few of many. Local.
std::string list_of_partitions(std::vector<int> const& partitions);

} // namespace seam
