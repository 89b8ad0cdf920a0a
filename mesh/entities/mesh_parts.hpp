/// The arrays of a mesh on one rank, and their assembly from the input.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <array>
#include <span>
#include <string>

namespace seam::detail {

/// The arrays of a mesh; see Mesh for their meaning.
struct mesh_parts {
  int num_dimensions = 0;
  ghost_layers ghosts;
  std::array<mesh_entities, 4> entities; ///< [num_dimensions + 1]
  std::array<adjacency, 3> cells2parts;  ///< [num_dimensions] by the parts' dimension
  std::vector<double> coordinates;       ///< [3 * entities[0].num_local()]
  std::vector<std::array<double, 3>> periods;
  std::vector<mesh_group> groups;
  std::shared_ptr<file_numbers const> numbers;
  std::vector<global_id> first_cells; ///< [local sides] the least id of the cells with each

  mesh_entities const& cells() const { return entities[num_dimensions]; }
};

/// Makes the arrays of a mesh from an input that check_input() has accepted, with vertices joined
/// already (see joined_vertices.hpp). Turned cells are turned over, see turn_cells().
/// @throws usage_error  the input has no coordinates for a vertex of a cell, or no cell for a
///         boundary element; cells overlap (on all ranks)
/// Collective: over `over`.
mesh_parts assemble(Communicator const& over, mesh_input const& input, ghost_layers const& ghosts);

/// The line of Mesh::problem().
/// Collective: over `over`.
std::string find_problem(Communicator const& over, mesh_parts const& parts);

/// Lists the vertices of each side in the order of its cell of least id, on all ranks, and notes these
/// cells in parts.first_cells.
///
///     +---+---+
///     | 4 | 9 |    the edge between 4 and 9 leads upward, as cell 4 lists its vertices; a normal to
///     +---+---+    the right of it points out of cell 4
///
/// Collective: over `over`.
/// Cost: one question for each copy of a side, from the rank that has it to the owner.
void see_sides_from_first_cells(Communicator const& over, mesh_parts& parts);

/// Tells --explain how far neighbors lie apart, and whether sorting them would pay: loops over the
/// cells of a shuffled file were measured to be 8 times slower.
/// Collective: over `over`.
void explain_neighbors(Communicator const& over, mesh_parts const& parts);

/// Finds the cells of other ranks in the layers around this rank's cells, by ascending owner and
/// id.
///
/// @param own             this rank's cells, by ascending id
/// @param largest_vertex  the largest vertex id of all ranks
/// Collective: over `over`.
received_elements find_ghost_cells(Communicator const& over, element_list const& own,
                                   ghost_layers const& layers, global_id largest_vertex);

/// Turns over all cells whose orientation is negative, unless they are surfaces or lines in space
/// (their coordinates along axes from num_dimensions on differ).
/// @param cells   with vertices as positions in `places`
/// @param places   [3 * number of vertices] x, y, z of each; length
/// @param periods  of which the images of vertices are multiples
/// Collective: over `over`.
void turn_cells(Communicator const& over, mesh_entities& cells, std::span<double const> places,
                std::span<std::array<double, 3> const> periods);

/// Checks that no cell is turned, that no two have the same vertices, and that at most one cell lies
/// on each side of a side of cells.
///
///     +---+---+      +---+
///     | 0 | 1 |      |0 1|  cell 1 is folded back onto cell 0: both lie left of their edge
///     +---+---+      +---+
///
/// Where the dimension of cells is less than that of the space that they lie in (surfaces, networks
/// of lines), any number of cells may meet, and only cells with the same vertices overlap.
/// @throws usage_error  naming the cells (on all ranks)
/// Collective: over `over`.
/// Cost: one sparse exchange of the sides that several ranks have.
void check_overlaps(Communicator const& over, mesh_parts const& parts);

} // namespace seam::detail
