/// Which rank reads which records of a Gmsh file.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/gmsh/runs.hpp>

#include <vector>

namespace seam::detail {

/// The pieces of the file that this rank reads: of P ranks each gets one P-th of the entities, one
/// of the nodes and one of the elements, in their order. In the order of the file.
///
/// Text is looked through by all ranks, each a range of it; in a binary file rank 0 goes from block
/// to block. No rank keeps more than its own pieces.
/// @throws usage_error  the file is not as the format demands (the same line on all ranks)
/// Collective: over `over`.
std::vector<msh_piece> survey_msh(Communicator const& over, file_window& file,
                                  msh_format const& format);

} // namespace seam::detail
