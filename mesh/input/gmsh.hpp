/// Meshes from Gmsh: files of the formats 2.0 to 2.2, 4.0 and 4.1, text or binary.
///
///     mesh_input const wing = read_gmsh(comm, "wing.msh");
///
/// Elements of the highest dimension become cells. Elements of lower dimensions that belong to a
/// physical group become the boundary. Tags are physical tags, whose names are mesh_input::groups;
/// ids are the numbers in the file. Nodes that $Periodic joins are one vertex of the Mesh.
/// mesh_input::notes lists the parts of a file that the mesh leaves out: the nodes of second-order
/// elements that are not corners, and $Periodic in binary files of format 4.0.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <string>

namespace seam {

/// Reads this rank's share of the mesh: of P ranks each has one P-th of the nodes and one of the
/// elements, in the order of the file. Nodes that no element names are vertices too. If an element
/// belongs to several physical groups, the first counts: the first one of its entity, or in files
/// of format 2, which have the element once for each group, the first one in the file.
///
/// @param path  of a file that all ranks can read
/// @throws usage_error  the file cannot be read, or is malformed: the line names the place (a line
///         of text, or a byte) and what was expected there; two nodes, two cells or two elements of
///         the boundary have the same number; an element names a missing node; an element is of
///         third or higher order (the same line on all ranks)
/// Collective: over `over`.
/// Memory: at most three times the mesh over P, and 1 MiB; every rank reads through $Periodic.
mesh_input read_gmsh(Communicator const& over, std::string const& path);

} // namespace seam
