/// Points as lines of CSV.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/partition/point_cloud.hpp>

#include <string>
#include <vector>

namespace partition_app {

/// The points of those lines of the file that begin in this rank's P-th of its bytes.
///
/// The first line may name the columns: id,x,y and then z, weight, or both. Without names a fourth
/// column is z, a fifth the weight. Names may be in capitals, blanks are left out, and so is a mark
/// of UTF-8 at the begin.
/// @throws usage_error  a line is not as it should be, with its number; there are no points (the
///         same on all ranks)
/// Collective: over `over`. No rank holds more than its points.
seam::point_set read_points(seam::Communicator const& over, std::string const& path);

/// Makes `path` a file of lines id,part in the order of ranks. Throws as output_file does.
/// Collective: over `over`.
void write_parts(seam::Communicator const& over, std::vector<seam::global_id> const& ids,
                 std::vector<int> const& parts, std::string const& path);

} // namespace partition_app
