/// Pieces of a Gmsh file: the records that each rank reads.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/gmsh/runs.hpp>

#include <vector>

namespace seam::detail {

/// What a survey has found.
struct msh_survey_result {
  std::vector<msh_piece> pieces; ///< that this rank reads, in the order of the file
  msh_place periodic{};          ///< behind the line $Periodic; 0 if there is none; on all ranks
  msh_place names{};             ///< behind the line $PhysicalNames, likewise
};

/// Finds the pieces of the file that this rank reads, in the order of the file: of P ranks each
/// gets one P-th of the entities, one of the nodes and one of the elements, in their order.
///
/// All ranks scan text, each one range of it; in a binary file rank 0 goes from block to block. A
/// rank keeps only its own pieces.
/// @throws usage_error  the file violates its format (the same line on all ranks)
/// Collective: over `over`.
msh_survey_result survey_msh(Communicator const& over, file_window& file, msh_format const& format);

} // namespace seam::detail
