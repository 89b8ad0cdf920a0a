/// Migration of a mesh: cells are sent to the ranks that they are assigned to, together with the
/// fields on the mesh.
///
///     auto const cells2ranks = partition(mesh, mesh.base().size(), partition_method::rib);
///     mesh = migrate(mesh, cells2ranks, u, v, halo);
#pragma once

#include <seam/mesh/fields/mesh_halo.hpp>

#include <type_traits>
#include <vector>

namespace seam {
namespace detail {

/// @throws usage_error  a field is not on `mesh` (on all ranks)
/// Collective: over mesh.base().
void check_on_mesh(Mesh const& mesh, std::vector<std::shared_ptr<mesh_field_state>> const& fields);

/// Moves the values of own entities to the ranks that own or copy them in `to`.
/// Collective: over to.base().
void move_fields(Mesh const& to, std::vector<std::shared_ptr<mesh_field_state>> const& fields);

template <class T>
inline constexpr bool is_mesh_field = false;
template <class T>
inline constexpr bool is_mesh_field<MeshField<T>> = true;

/// Adds `moving` to the list if it is a field.
template <class T>
void add_field(std::vector<std::shared_ptr<mesh_field_state>>& to, T& moving) {
  if constexpr (is_mesh_field<T>)
    to.push_back(moving.shared());
}

template <class T>
void replan_halo(T& moving) {
  if constexpr (std::is_same_v<T, MeshHalo>)
    moving.replan();
}

} // namespace detail

/// The mesh with each cell on the rank that its owner gives, by Mesh::migrated().
///
/// The fields among `moving` are on the new mesh afterwards; own entities and copies have the
/// values of their owners in the old mesh. The halos among `moving` are planned anew.
/// @param cells2ranks  [mesh.cells().num_owned]
/// @param moving       any number of MeshFields of `mesh`, and of MeshHalos of such fields
/// @throws usage_error  lengths differ, a destination is no rank, a field is on another mesh (on
///         all ranks)
/// Collective: over mesh.base().
template <class... Moving>
Mesh migrate(Mesh const& mesh, std::span<int const> cells2ranks, Moving&... moving) {
  static_assert((true && ... &&
                 (detail::is_mesh_field<Moving> || std::is_same_v<Moving, MeshHalo>)),
                "MeshFields and MeshHalos can move");
  detail::call_scope const here("migrate");
  std::vector<std::shared_ptr<detail::mesh_field_state>> fields;
  (detail::add_field(fields, moving), ...);
  detail::check_on_mesh(mesh, fields);
  Mesh moved = mesh.migrated(cells2ranks);
  detail::move_fields(moved, fields);
  (detail::replan_halo(moving), ...);
  return moved;
}

} // namespace seam
