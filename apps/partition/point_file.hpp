/// Points as lines of CSV.
#pragma once

#include <seam/exchange.hpp>
#include <seam/partition.hpp>

#include <string>
#include <vector>

namespace partition_app {

/// Reads the points of the lines that begin in this rank's P-th of the file's bytes.
///
/// The first line may name the columns: id,x,y and then z, weight, or both. Without names a fourth
/// column is z, a fifth the weight. Names may be in capitals; blanks and a byte order mark at the
/// begin are skipped.
/// @throws usage_error  a line is malformed, with its number; there are no points (the same line on
///         all ranks)
/// Collective: over `over`.
/// Cost: no rank holds more than its points.
seam::point_set read_points(seam::Communicator const& over, std::string const& path);

/// Writes lines id,part in the order of ranks into the file at `path`, which replaces an older one.
/// @throws usage_error  as output_file
/// Collective: over `over`.
void write_parts(seam::Communicator const& over, std::vector<seam::global_id> const& ids,
                 std::vector<int> const& parts, std::string const& path);

} // namespace partition_app
