/// Numbers of points and of the entities of a mesh.
#pragma once

#include <cstdint>

namespace seam {

/// Position in a rank's own arrays.
using local_id = std::int32_t;

/// Number in the whole domain: at least 0, less than 2^63 - 1, the same on all ranks.
using global_id = std::int64_t;

} // namespace seam
