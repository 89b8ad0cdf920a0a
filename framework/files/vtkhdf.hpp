/// Writing fields for ParaView: one VTKHDF file, into which all ranks write their own cells.
///
///     write(grid, u, "u.vtkhdf");
///     write(grid, std::tie(u, pressure), "flow.vtkhdf");
///
/// The file holds an image (VTK's word for a box-shaped grid): the grid's last axis is VTK's x, the
/// one before it y, then z. Values belong to the image's points, which are the centers of the
/// cells. An axis of one cell, and one that the grid does not have, becomes two points, on both
/// faces of the cell. So all fields are three-dimensional, as readers up to VTK 9.2 (ParaView 5.11)
/// need: they read values on cells as values on points, and write beyond an array when they read a
/// flat image.
///
/// A field with several components becomes an array for each, named "u.0", "u.1", ... Values on
/// faces or corners are stored at the points of the cells on whose low sides they lie; those on the
/// high border of the domain, which belong to no such cell, are left out.
///
/// ParaView 5.11 opens files named .hdf by itself; for .vtkhdf choose "VTKHDF Reader" when it asks.
#pragma once

#include <seam/framework/files/detail/number_format.hpp>
#include <seam/stencil/fields/field.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace seam {
namespace detail {

/// A field without its type of values.
template <int D>
struct written_field {
  std::string name;
  Grid<D> grid;
  std::byte const* data; ///< owned values and ghosts of a component, as stored
  ghost_width<D> ghosts;
  box<D> stored; ///< owned values and ghosts, in indices relative to the block
  number_format format;
};

/// Appends the components of a field; those of a field with several are named "u.0", "u.1", ...
template <int D>
void append_components(std::vector<written_field<D>>& all, Grid<D> const& grid,
                       field_state const& field, number_format format);

template <class T, int D>
void append_written(std::vector<written_field<D>>& all, Field<T, D> const& field) {
  append_components(all, field.grid(), *field.shared(), format_of<T>());
}

template <int D, class... Fields>
std::vector<written_field<D>> all_written(std::tuple<Fields&...> const& fields) {
  std::vector<written_field<D>> all;
  std::apply([&](auto const&... field) { (append_written(all, field), ...); }, fields);
  return all;
}

template <int D>
void write_vtkhdf(Grid<D> const& grid, std::vector<written_field<D>> const& fields,
                  std::string const& path);

template <int D>
void require_room(Grid<D> const& grid, std::vector<written_field<D>> const& fields,
                  std::string const& path);

} // namespace detail

/// Writes some fields of one grid into one file, which replaces an older one when it is whole.
///
/// @param fields  std::tie(u, v, ...) of any numeric types; their names become the arrays' names
/// @throws usage_error  the file cannot be written, a field belongs to another grid, names are the
///         same, or a name has other characters than letters, digits, '_', '-' and '.'
/// Collective: over the grid.
/// Cost: each rank writes its owned cells; none is gathered. Grids of two dimensions are stored
/// twice, those of one dimension four times (see above).
template <int D, class... Fields>
void write(Grid<D> const& grid, std::tuple<Fields&...> const& fields, std::string const& path) {
  auto const all = detail::all_written<D>(fields);
  detail::write_vtkhdf<D>(grid, all, path);
}

/// Writes one field into a file of its own, as above.
/// Collective: over the grid.
template <class T, int D>
void write(Grid<D> const& grid, Field<T, D> const& field, std::string const& path) {
  write(grid, std::tie(field), path);
}

/// Checks, before a long computation, that the same call of write() can create its file and that
/// the disk has space for it. Without effect if `path` is empty.
/// @throws usage_error  the file cannot be created, or the disk has less space (on all ranks)
/// Collective: over the grid.
template <int D, class... Fields>
void require_room(Grid<D> const& grid, std::tuple<Fields&...> const& fields,
                  std::string const& path) {
  auto const all = detail::all_written<D>(fields);
  detail::require_room<D>(grid, all, path);
}

} // namespace seam
