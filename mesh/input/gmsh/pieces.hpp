/// Pieces of a Gmsh file: the records that each rank reads.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/gmsh/runs.hpp>

#include <vector>

namespace seam::detail {

/// Finds the pieces of the file that this rank reads, in the order of the file: of P ranks each
/// gets one P-th of the entities, one of the nodes and one of the elements, in their order.
///
/// All ranks scan text, each one range of it; in a binary file rank 0 goes from block to block. A
/// rank keeps only its own pieces.
/// @throws usage_error  the file violates its format (the same line on all ranks)
/// Collective: over `over`.
std::vector<msh_piece> survey_msh(Communicator const& over, file_window& file,
                                  msh_format const& format);

} // namespace seam::detail
