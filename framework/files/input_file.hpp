/// Input files: read by one rank, known to all.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>

namespace seam {

/// The content of the file at `path`, which rank 0 reads.
/// @throws usage_error  it does not exist, is a directory, or cannot be read (on all ranks)
/// Collective: over `over`.
std::string read_text(mpi::comm_view over, std::string const& path);

} // namespace seam
