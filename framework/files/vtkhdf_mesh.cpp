#include <seam/framework/files/vtkhdf_mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/field_names.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/vtk_cells.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace seam::detail {
namespace {

/// Counts of rows on this rank, on the ranks below it, and on all.
struct extent_of_all {
  std::int64_t own, before, total;
};

extent_of_all extent_over(mpi::comm_view over, std::int64_t own) {
  return {own, mpi::sum_before(over, own), mpi::allreduce(over, own, MPI_SUM)};
}

/// This rank's cells and tagged sides, edges and corners, and their points, in VTK's layout.
struct piece {
  std::vector<local_id> cells; ///< [elements] the cell, or one that the side, edge or corner is of
  std::vector<std::int64_t> connectivity; ///< points of element after element
  std::vector<std::int64_t> offsets{0};   ///< [elements + 1] -> connectivity
  std::vector<std::uint8_t> types;        ///< [elements]
  std::vector<global_id> ids;             ///< [elements]
  std::vector<std::int32_t> tags;         ///< [elements]
  std::vector<std::int32_t> ranks;        ///< [elements]
  std::vector<local_id> vertices;         ///< [points] the mesh's
  std::vector<double> places;             ///< [3 * points]
  std::vector<global_id> vertex_ids;      ///< [points]
};

void add_element(piece& to, mesh_entities const& of, local_id entity, local_id cell) {
  to.cells.push_back(cell);
  for (local_id const v : of.vertices[entity])
    to.connectivity.push_back(v);
  to.offsets.push_back(std::ssize(to.connectivity));
  to.types.push_back(vtk_type_of(of.shapes[entity]));
  to.ids.push_back(of.ids[entity]);
  to.tags.push_back(of.tags[entity]);
}

/// Numbers sides, edges and corners from the largest id of a cell on.
/// Collective: over the mesh.
void number_parts(Mesh const& mesh, piece& own) {
  local_id const num_cells = mesh.cells().num_owned;
  std::span const parts = std::span(own.ids).subspan(num_cells);
  global_id last = -1;
  for (global_id const id : std::span(own.ids).first(num_cells))
    last = std::max(last, id);
  last = mpi::allreduce(mesh.base().context(), last, MPI_MAX);
  auto const all = extent_over(mesh.base().context(), std::ssize(parts));
  if (all.total > no_id - 1 - last)
    refuse(fmt::format("cell {} (expected ids that leave numbers for {} tagged sides, edges and "
                       "corners)",
                       last, all.total));
  std::iota(parts.begin(), parts.end(), last + 1 + all.before);
}

/// Makes this rank's piece, with points in the order of the mesh's vertices.
/// Collective: over the mesh.
piece make_piece(Mesh const& mesh) {
  piece made;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    add_element(made, mesh.cells(), c, c);
  for (int d = mesh.num_dimensions() - 1; d >= 0; --d) {
    mesh_entities const& parts = mesh.entities(d);
    for (local_id e = 0; e < parts.num_owned; ++e)
      if (parts.tags[e] != 0)
        add_element(made, parts, e, mesh.adjacent(d, mesh.num_dimensions())[e].front());
  }
  number_parts(mesh, made);
  made.ranks.assign(made.cells.size(), mesh.base().rank());
  std::vector<std::int64_t> vertices2points(mesh.vertices().num_local(), 0);
  for (std::int64_t const v : made.connectivity)
    vertices2points[v] = 1;
  for (local_id v = 0; v < mesh.vertices().num_local(); ++v)
    if (std::exchange(vertices2points[v], std::ssize(made.vertices)) == 1)
      made.vertices.push_back(v);
  for (std::int64_t& corner : made.connectivity)
    corner = vertices2points[corner];
  for (local_id const v : made.vertices) {
    auto const place = mesh.coordinates().subspan(3 * std::int64_t{v}, 3);
    made.places.insert(made.places.end(), place.begin(), place.end());
    made.vertex_ids.push_back(mesh.vertices().ids[v]);
  }
  return made;
}

/// An array of the file, and this rank's rows of it.
struct file_array {
  std::string name; ///< with its group, as "PointData/u"
  number_format format;
  extent_of_all rows;
  std::int64_t width; ///< numbers in a row; 0: a list of numbers
  std::byte const* values;
  std::vector<std::byte> own_values{}; ///< memory of `values` if no other object owns them

  std::vector<std::int64_t> box(std::int64_t first) const {
    return width == 0 ? std::vector{first} : std::vector{first, width};
  }
  std::int64_t bytes() const {
    return rows.total * std::max<std::int64_t>(1, width) * format.bytes;
  }
  void write_to(hdf5_id dataset) const {
    auto const start =
        width == 0 ? std::vector{rows.before} : std::vector{rows.before, std::int64_t{}};
    write_box(dataset, format, box(rows.total), start, box(rows.own), values);
  }
};

template <class T>
file_array array_of(std::string name, std::span<T const> values, extent_of_all const& rows,
                    std::int64_t width = 0) {
  return {std::move(name), format_of<T>(), rows, width,
          reinterpret_cast<std::byte const*>(values.data())};
}

/// Makes an array of one number from each rank, which is copied.
file_array array_of_count(std::string name, mpi::comm_view over, std::int64_t count) {
  file_array made{std::move(name),
                  format_of<std::int64_t>(),
                  {1, over.rank(), over.size()},
                  0,
                  nullptr,
                  std::vector<std::byte>(sizeof(count))};
  std::memcpy(made.own_values.data(), &count, sizeof(count));
  made.values = made.own_values.data();
  return made;
}

/// Copies a field's rows in the order of the piece's points or elements.
file_array array_of_field(written_mesh_field const& field, piece const& own,
                          extent_of_all const& points, extent_of_all const& cells) {
  bool const is_on_points = field.dimension == 0;
  std::vector<local_id> const& entities = is_on_points ? own.vertices : own.cells;
  std::int64_t const row = field.num_components * field.format.bytes;
  file_array made{(is_on_points ? "PointData/" : "CellData/") + field.name,
                  field.format,
                  is_on_points ? points : cells,
                  field.num_components == 1 ? 0 : field.num_components,
                  nullptr,
                  std::vector<std::byte>(entities.size() * row)};
  for (std::int64_t k = 0; k < std::ssize(entities); ++k)
    std::copy_n(field.data + entities[k] * row, row, made.own_values.data() + k * row);
  made.values = made.own_values.data();
  return made;
}

/// Makes all arrays of the file.
/// Collective: over the mesh.
std::vector<file_array> arrays_of(Mesh const& mesh, piece const& own,
                                  std::span<written_mesh_field const> fields) {
  mpi::comm_view const over = mesh.base().context();
  auto const points = extent_over(over, std::ssize(own.vertices));
  auto const cells = extent_over(over, std::ssize(own.cells));
  auto const corners = extent_over(over, std::ssize(own.connectivity));
  extent_of_all const ends{cells.own + 1, cells.before + over.rank(), cells.total + over.size()};
  std::vector<file_array> all;
  all.push_back(array_of_count("NumberOfPoints", over, points.own));
  all.push_back(array_of_count("NumberOfCells", over, cells.own));
  all.push_back(array_of_count("NumberOfConnectivityIds", over, corners.own));
  all.push_back(array_of<double>("Points", own.places, points, 3));
  all.push_back(array_of<std::int64_t>("Connectivity", own.connectivity, corners));
  all.push_back(array_of<std::int64_t>("Offsets", own.offsets, ends));
  all.push_back(array_of<std::uint8_t>("Types", own.types, cells));
  all.push_back(array_of<global_id>("PointData/vertex_ids", own.vertex_ids, points));
  all.push_back(array_of<global_id>("CellData/cell_ids", own.ids, cells));
  all.push_back(array_of<std::int32_t>("CellData/tags", own.tags, cells));
  all.push_back(array_of<std::int32_t>("CellData/rank", own.ranks, cells));
  for (written_mesh_field const& field : fields)
    all.push_back(array_of_field(field, own, points, cells));
  return all;
}

/// Creates the file without the arrays' values.
/// Local.
void lay_out(std::string const& path, std::span<file_array const> arrays) {
  hdf5_object file = create_file(path);
  {
    hdf5_object const top = create_group(file, "VTKHDF");
    put_numbers(top, "Version", std::array{1, 0});
    put_text(top, "Type", "UnstructuredGrid");
    for (char const* const group : {"PointData", "CellData", "FieldData"})
      create_group(top, group);
    for (file_array const& array : arrays)
      create_dataset(top, array.name, array.format, array.box(array.rows.total));
  }
  file.close("H5Fclose");
}

std::int64_t bytes_of(std::span<file_array const> arrays) {
  std::int64_t bytes = 8192 + 1024 * std::ssize(arrays);
  for (file_array const& array : arrays)
    bytes += array.bytes();
  return bytes;
}

/// Writes the file. As for grids, rank 0 alone allocates space and creates the data sets, so that
/// errors occur before the ranks write together.
void write_file(output_file const& file, mpi::comm_view over, std::span<file_array const> arrays) {
  quiet_hdf5 const quiet;
  file.reserve(bytes_of(arrays));
  collectively(over, [&] {
    if (over.rank() == 0)
      lay_out(file.temporary(), arrays);
  });
  auto all = collectively(over, [&] { return open_on_all(over, file.temporary()); });
  for (file_array const& array : arrays) {
    auto const dataset =
        collectively(over, [&] { return open_dataset(all, "/VTKHDF/" + array.name); });
    collectively(over, [&] { array.write_to(dataset); });
  }
  collectively(over, [&] { all.close("H5Fclose"); });
}

void check_fields(Mesh const& mesh, std::span<written_mesh_field const> fields) {
  std::vector<std::string> names{"cell_ids", "tags", "rank", "vertex_ids"};
  for (written_mesh_field const& field : fields) {
    if (!field.mesh.is_same(mesh))
      refuse(fmt::format("vtkhdf: field '{}' belongs to another mesh", field.name));
    if (field.dimension != 0 && field.dimension != mesh.num_dimensions())
      refuse(fmt::format("vtkhdf: field '{}' is on entities of dimension {} (expected vertices, 0, "
                         "or cells, {})",
                         field.name, field.dimension, mesh.num_dimensions()));
    names.push_back(field.name);
  }
  check_field_names(names);
}

std::string in_words(std::span<written_mesh_field const> fields) {
  std::string words;
  for (written_mesh_field const& field : fields)
    words +=
        fmt::format("{}:{}{}{}x{} on {} ", field.name, field.format.is_floating ? "float" : "int",
                    8 * field.format.bytes, field.format.is_signed ? "" : "-unsigned",
                    field.num_components, field.dimension);
  return words;
}

} // namespace

void write_vtkhdf(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path) {
  call_scope const here("write", *mesh.base().calls());
  mpi::comm_view const over = mesh.base().context();
  require_same(over, "vtkhdf: fields", in_words(fields));
  collectively(over, [&] { check_fields(mesh, fields); });
  output_file file(over, path);
  try {
    piece const own = make_piece(mesh);
    write_file(file, over, arrays_of(mesh, own, fields));
  } catch (std::exception const& problem) {
    throw usage_error(
        fmt::format("vtkhdf: cannot write '{}': {} [{}]", path, problem.what(), where()), true);
  }
  file.commit();
}

void require_room(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path) {
  detail::call_scope const here("require_room");
  if (path.empty())
    return;
  piece const own = make_piece(mesh);
  output_file(mesh.base().context(), path).reserve(bytes_of(arrays_of(mesh, own, fields)));
}

} // namespace seam::detail
