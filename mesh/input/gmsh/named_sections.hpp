/// Sections of a Gmsh file that are as small as a list of groups or a border of the mesh, and that
/// every rank reads: $PhysicalNames and $Periodic.
#pragma once

#include <seam/mesh/input/gmsh/format.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <vector>

namespace seam::detail {

/// The names of groups.
/// @param at  behind the line $PhysicalNames
/// @throws usage_error  the section is malformed: the line names the place
/// Local.
std::vector<mesh_group> read_group_names(file_window& file, msh_place at);

/// A rank's share of the pairs of nodes that are one: of P ranks each takes every P-th pair.
/// @param at  behind the line $Periodic
/// @throws usage_error  as above
/// Local.
/// Cost: every rank reads the section.
std::vector<joined_vertices> read_joined_nodes(file_window& file, msh_format const& format,
                                               msh_place at, int rank, int num_ranks);

} // namespace seam::detail
