/// Mesh: vertices, edges, faces and cells that are divided over ranks.
///
///     Mesh const mesh(comm, box_mesh(comm, shape::tetrahedron, {20, 20, 20}));
///     adjacency const& cells2vertices = mesh.adjacent(3, 0);
///     for (local_id c = 0; c < mesh.cells().num_owned; ++c)
///       volume += volume_of(cells2vertices[c], mesh.coordinates());
///
/// Every entity has one owner. A rank has all entities of its own cells and of the ghost cells
/// around them; entities among these that other ranks own are copies. A cell belongs to the rank
/// whose input has it, any other entity to the lowest rank that owns a cell with it.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace seam {

template <class T>
class MeshField;
struct mesh_set;
namespace detail {
class step_space;
}

/// A distributed mesh of any mixture of cells of one dimension. An immutable value; copies share
/// its arrays. Entities are numbered locally in the order of mesh_entities, and globally by ids
/// that do not depend on ranks: cells and vertices keep the ids of the input, edges and faces are
/// counted in the lexicographic order of their sorted vertex ids.
/// Threads: any, but for collective calls.
class Mesh {
public:
  /// Makes the mesh of all ranks' `input`: each rank owns the cells of its input. Joined vertices
  /// become one, and the mesh repeats itself by the translations between them. Elements of
  /// input.boundary give their tags to the vertices, edges and faces with their vertices; vertices
  /// without cells are left out. Cells that fill space (solids, polygons in a plane of constant z,
  /// lines along x) have positive measure: those that list their vertices the other way round are
  /// turned over.
  /// @throws usage_error  an id is given twice, a vertex or the cell of a boundary element is
  ///         missing, lengths or shapes do not fit; two cells have the same vertices, or overlap
  ///         at a side; joined vertices do not match by translations, or a period has fewer than three
  ///         cells, so that a cell would be its own neighbor, or twice the same one's; the layers lead
  ///         through no part of a cell; a machine has too little memory left (the same line on all
  ///         ranks)
  /// Collective: over `over`.
  /// Cost: about 30 sparse exchanges of the entities of each rank.
  Mesh(Communicator const& over, mesh_input const& input, ghost_layers ghosts = {});

  int num_dimensions() const noexcept; ///< of the cells: 1, 2 or 3

  /// @param dimension  0 to num_dimensions()
  mesh_entities const& entities(int dimension) const;
  mesh_entities const& vertices() const { return entities(0); }
  mesh_entities const& cells() const { return entities(num_dimensions()); }
  mesh_entities const& sides() const { return entities(num_dimensions() - 1); } ///< of cells

  int dimension_of(mesh_part part) const noexcept;

  /// A field on a part of the mesh: T{} everywhere, zero if T is a number; see mesh_field.hpp.
  /// @throws usage_error  the mesh has no such part; no component (on all ranks)
  /// Collective: over base().
  template <class T>
  MeshField<T> field(std::string name, mesh_part where, int num_components = 1) const;

  /// x, y, z of each local vertex; in a periodic mesh in one of its places: see corner(). [length]
  /// @return  [3 * vertices().num_local()]
  std::span<double const> coordinates() const noexcept;

  /// The translations by which the mesh repeats itself, at most 3; none if it is not periodic.
  /// [length]
  std::span<std::array<double, 3> const> periods() const noexcept;

  /// x, y, z of an entity's k-th vertex, where the entity has it: a cell where its input has it,
  /// another entity beside its vertex of least id. [length]
  /// @param k  position in entities(dimension).vertices[entity]
  std::array<double, 3> corner(int dimension, local_id entity, int k) const;

  /// The translation from an entity's place, as corner() has it, to where a cell has it as its part;
  /// 0 unless the mesh is periodic. [length]
  /// @param part  of the cell, of any dimension below the cell's
  std::array<double, 3> offset(local_id cell, int dimension, local_id part) const;

  /// Names of tags; the same on all ranks.
  std::span<mesh_group const> groups() const noexcept;

  /// The tag of a group, by its name, or by its number as text.
  /// @throws usage_error  no group of these entities has the name: the line lists those that there
  ///         are (the same on all ranks)
  /// Local.
  std::int32_t tag(std::string_view group, mesh_part of) const;

  /// The same of any entities.
  /// @throws usage_error  also if groups of different entities with this name have different tags
  std::int32_t tag(std::string_view group) const;

  /// The mean of the entity's corners. [length]
  std::array<double, 3> center(int dimension, local_id entity) const;

  /// For each local entity of dimension `from` the local entities of dimension `to` that it
  /// touches: parts in the order of parts_of(), others by ascending id, so that a list does not
  /// depend on ranks where it is complete. From a dimension to itself: entities that share a side,
  /// or vertices that share an edge.
  /// Local; results are kept for later calls.
  adjacency const& adjacent(int from, int to) const;

  /// The least id of the cells that have a side, also of cells that only other ranks have. From
  /// this cell the side is seen: sides().vertices lists its vertices as this cell does, so that a
  /// normal points out of it.
  /// @param side  a local one
  /// Local. The same on all ranks that have the side.
  global_id first_cell(local_id side) const;

  ghost_layers const& ghosts() const noexcept;

  /// All processes of the mesh, fully connected.
  Communicator const& base() const noexcept;

  /// The graph communicator of ranks that have copies of each other's entities, with an edge in
  /// each direction; ranks as in base().
  /// Collective: over base(), the first time; local from then on.
  Communicator const& graph() const;

  /// This mesh with other ghost cells.
  /// @throws usage_error  as the constructor
  /// Collective: over base().
  Mesh with_ghosts(ghost_layers ghosts) const;

  /// This mesh with each cell on the rank that its owner gives: ids, tags and coordinates stay,
  /// ghosts are found anew. migrate_mesh.hpp moves fields along.
  /// @param cells2ranks  [cells().num_owned]
  /// @throws usage_error  lengths differ, or a destination is no rank (on all ranks)
  /// Collective: over base().
  Mesh migrated(std::span<int const> cells2ranks) const;

  /// This rank's own entities as an input: the Mesh of all ranks' shares is equal to this one.
  /// Elements of the boundary are entities with tags.
  /// Local.
  mesh_input share() const;

  /// The first error in the mesh, as a line that is the same on all ranks; empty if there is none.
  ///
  /// In a mesh without errors each entity has one owner, which has it; all copies have its
  /// vertices, tag and place; owners know all ranks with copies and no others; ids and order are
  /// right; cells are complete, and neither turned nor overlapping; the ghost cells are exactly the
  /// cells of the layers.
  /// Collective: over base().
  /// Cost: as the mesh's making.
  std::string problem() const;

  /// Sets of entities, for kernels of steps: see mesh_set.hpp.
  /// @throws usage_error  no entity of any rank has the tag or is in the group; inner cells, or a
  ///         closure of cells; sides of a mesh without ghost cells; a list of others' entities (the
  ///         same on all ranks)
  /// Collective: over base().
  mesh_set all(mesh_part of) const;
  mesh_set inner(mesh_part of) const;
  mesh_set border() const;
  mesh_set border(std::int32_t tag) const;
  mesh_set border(std::string_view group) const;
  mesh_set tagged(mesh_part of, std::int32_t tag) const;
  mesh_set tagged(mesh_part of, std::string_view group) const;
  mesh_set closure(std::int32_t tag, mesh_part of = mesh_part::vertices) const;
  mesh_set closure(std::string_view group, mesh_part of = mesh_part::vertices) const;
  mesh_set listed(mesh_part of, std::span<local_id const> own) const;

  /// The space that steps on this mesh have in common, while there are some.
  std::weak_ptr<detail::step_space const>& space_of_steps() const noexcept;

  /// For file_ids(): null if vertices and cells have the ids of the input.
  std::shared_ptr<detail::file_numbers const> const& file_numbers() const noexcept;

  /// Whether the other is a copy of this mesh.
  /// Local.
  bool is_same(Mesh const& other) const noexcept { return state_ == other.state_; }

  /// Whether there is no problem().
  /// Collective: over base().
  bool is_valid() const { return problem().empty(); }

private:
  struct state;
  explicit Mesh(std::shared_ptr<state> shared) : state_(std::move(shared)) {}
  Mesh rebuilt(mesh_input const& input, ghost_layers const& ghosts) const;

  std::shared_ptr<state> state_;
};

} // namespace seam
