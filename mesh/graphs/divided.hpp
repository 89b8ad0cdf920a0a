/// A mesh that is ready to compute on: sorted in memory and divided among the ranks.
///
///     auto const mesh = divided(runtime, read_mesh(runtime, "wing.msh"));
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/partition/partition.hpp>

#include <vector>

namespace seam {

struct divide_options {
  partition_method method = partition_method::rib;
  ghost_layers ghosts = {};
  std::vector<double> weights{}; ///< [input.cells.num_elements()] at least 0; or empty on all ranks
};

/// The mesh of all ranks' `input`, with its cells and vertices numbered from 0 along Hilbert's curve,
/// so that neighbors lie close to each other in memory, and each rank's cells one of as many parts as
/// there are ranks, of equal weight. Vertices without cells have numbers, too. Boundary elements keep
/// their ids; file_ids() has those of cells and vertices.
///
/// Ids do not depend on ranks; parts do not either, but by partition_method::scotch.
/// @throws usage_error  as Mesh and partition() (the same line on all ranks)
/// Collective: over `over`.
/// Cost: one migration, and some ten sparse exchanges of vertices and cells before it.
/// Source of the order: [Ibanez2015] sec. 3.4 has orders along curves; here of ids, so that lists of
/// neighbors, and sums over them, follow it.
Mesh divided(Communicator const& over, mesh_input const& input, divide_options const& options = {});

} // namespace seam
