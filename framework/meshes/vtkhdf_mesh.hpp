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
#include <seam/mesh/shapes/vec.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {
namespace detail {

/// An array of numbers on a mesh: a field, or a component of a field of structs.
struct written_mesh_field {
  std::string name;
  Mesh mesh;
  int dimension, num_components;
  std::byte const* data; ///< the first component of the first local entity
  number_format format;
  std::int64_t entity_bytes;    ///< from an entity to the next
  std::int64_t component_bytes; ///< from a component to the next
};

template <class T>
inline constexpr int size_of_vec = 0;
template <int N>
inline constexpr int size_of_vec<vec<N>> = N;

/// A struct of doubles whose components have names in files:
///
///     struct gas {
///       static constexpr std::array component_names{"density", "pressure"};
///       double density, pressure;
///     };
template <class T>
concept named_components = requires {
  { T::component_names[0] } -> std::convertible_to<std::string>;
};

/// The numbers of a vec, or of a struct with component_names.
template <class T>
std::span<double const> doubles_in(T const& value) {
  if constexpr (size_of_vec < T >> 0)
    return value.values;
  else {
    static_assert(named_components<T>, "files and pictures show fields of numbers, of vec, and of "
                                       "structs with component_names");
    return {reinterpret_cast<double const*>(&value), T::component_names.size()};
  }
}

template <class T>
void append_described(std::vector<written_mesh_field>& to, MeshField<T> const& field) {
  written_mesh_field made{field.name(),
                          field.mesh(),
                          field.dimension(),
                          field.num_components(),
                          field.shared()->memory.get(),
                          format_of<double>(),
                          field.num_components() * std::int64_t{sizeof(T)},
                          sizeof(T)};
  if constexpr (size_of_vec < T >> 0) {
    made.num_components *= size_of_vec<T>;
    made.component_bytes = sizeof(double);
    to.push_back(std::move(made));
  } else if constexpr (named_components<T>) {
    static_assert(sizeof(T) == T::component_names.size() * sizeof(double),
                  "a struct with component_names has one double for each of them");
    for (auto const& component : T::component_names) {
      made.name = field.name() + "." + component;
      to.push_back(made);
      made.data += sizeof(double);
    }
  } else {
    static_assert(std::is_arithmetic_v<T>,
                  "files hold fields of numbers, of vec, and of structs with component_names");
    made.format = format_of<T>();
    to.push_back(std::move(made));
  }
}

template <class... Fields>
std::vector<written_mesh_field> all_described(std::tuple<Fields...> const& fields) {
  std::vector<written_mesh_field> all;
  std::apply([&](auto const&... field) { (append_described(all, field), ...); }, fields);
  return all;
}

void write_vtkhdf(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path);

void require_room(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path);

} // namespace detail

/// Writes some fields of one mesh into one file, which replaces an older one when it is whole.
///
/// @param fields  std::tie(u, v, ...) of any numeric types, of vec<N>, which is N components, or of
///                structs with component_names, of which "q" becomes "q.density" and so on (see
///                detail::named_components); on cells or vertices. Copies of
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
