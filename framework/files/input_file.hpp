/// Input files: rank 0 reads them and broadcasts their content.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>

namespace seam {

/// Returns the content of the file at `path`, which rank 0 reads, on all ranks.
/// @throws usage_error  the file does not exist, is a directory, or cannot be read (on all ranks)
/// Collective: over `over`.
std::string read_text(mpi::comm_view over, std::string const& path);

} // namespace seam
