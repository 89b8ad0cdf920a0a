/// Writing fields on meshes for ParaView: one VTKHDF file, into which all ranks write their cells.
///
///     write(mesh, u, "u.vtkhdf");
///     write(mesh, std::tie(u, parts), "flow.vtkhdf");
///
/// The file holds an unstructured grid of one piece for each rank: its own cells and their
/// vertices. Cells have their ids ("cell_ids"), tags ("tags") and owner ("rank"), vertices their
/// ids ("vertex_ids"), by which read_vtkhdf() joins the pieces again on any number of ranks.
///
/// Behind the cells of a piece lie its tagged sides, edges and corners, as cells of fewer
/// dimensions. They have their tag and owner, "cell_ids" above those of all cells, and the fields'
/// values of a cell that they belong to.
#pragma once

#include <seam/framework/files/detail/number_format.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace seam {
namespace detail {

/// A field on a mesh without its type of values.
struct written_mesh_field {
  std::string name;
  Mesh mesh;
  int dimension, num_components;
  std::byte const* data; ///< values of all local entities
  number_format format;
};

template <class T>
written_mesh_field described(MeshField<T> const& field) {
  return {field.name(),
          field.mesh(),
          field.dimension(),
          field.num_components(),
          reinterpret_cast<std::byte const*>(field.values().data()),
          format_of<T>()};
}

template <class... Fields>
std::vector<written_mesh_field> all_described(std::tuple<Fields...> const& fields) {
  return std::apply(
      [](auto const&... field) { return std::vector<written_mesh_field>{described(field)...}; },
      fields);
}

void write_vtkhdf(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path);

void require_room(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path);

} // namespace detail

/// Writes some fields of one mesh into one file, which replaces an older one when it is whole.
///
/// @param fields  std::tie(u, v, ...) of any numeric types, on cells or vertices. Copies of
///                vertices are written with the values that they have: a halo must have updated
///                them.
/// @throws usage_error  the file cannot be written; a field belongs to another mesh, or to edges or
///         sides; two fields have the same name, one of those above, or a name with other
///         characters than letters, digits, '_', '-' and '.' (on all ranks)
/// Collective: over mesh.base().
/// Cost: each rank writes its own cells; none is gathered.
template <class... Fields>
void write(Mesh const& mesh, std::tuple<Fields&...> const& fields, std::string const& path) {
  detail::write_vtkhdf(mesh, detail::all_described(fields), path);
}

/// Writes one field into a file of its own, as above.
/// Collective: over mesh.base().
template <class T>
void write(Mesh const& mesh, MeshField<T> const& field, std::string const& path) {
  write(mesh, std::tie(field), path);
}

/// Writes the mesh without fields.
/// Collective: over mesh.base().
inline void write(Mesh const& mesh, std::string const& path) {
  detail::write_vtkhdf(mesh, {}, path);
}

/// Checks, before a long computation, that the same call of write() can create its file and that
/// the disk has space for it. Without effect if `path` is empty.
/// @throws usage_error  the file cannot be created, or the disk has less space (on all ranks)
/// Collective: over mesh.base().
template <class... Fields>
void require_room(Mesh const& mesh, std::tuple<Fields&...> const& fields, std::string const& path) {
  detail::require_room(mesh, detail::all_described(fields), path);
}

} // namespace seam
