#include <seam/framework/meshes/mesh_arrays.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/field_names.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/open_file.hpp>
#include <seam/mesh/entities/groups.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <numeric>
#include <system_error>

namespace seam::detail {
namespace {

extent_of_all extent_over(mpi::comm_view over, std::int64_t own) {
  return {own, mpi::sum_before(over, own), mpi::allreduce(over, own, MPI_SUM)};
}

/// The images of the corners of a piece's elements, none if the mesh is not periodic.
using corner_images = std::vector<vertex_image>;

void add_element(piece& to, corner_images& images, mesh_entities const& of, local_id entity,
                 local_id cell) {
  to.cells.push_back(cell);
  for (auto at = of.vertices.a2ab[entity]; at < of.vertices.a2ab[entity + 1]; ++at) {
    to.connectivity.push_back(of.vertices.ab2b[at]);
    if (!of.images.empty())
      images.push_back(of.images[at]);
  }
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

/// A point of a piece: a vertex, and which image of it.
struct point_of_piece {
  vertex_image image;
  local_id vertex;

  auto operator<=>(point_of_piece const&) const = default;
};

/// The distinct vertices of the elements in their order, then their images by ascending image.
std::vector<point_of_piece> find_points(Mesh const& mesh, piece const& own,
                                        corner_images const& images) {
  std::vector<char> is_there(mesh.vertices().num_local(), 0);
  std::vector<point_of_piece> points, moved;
  for (std::size_t k = 0; k < own.connectivity.size(); ++k) {
    auto const vertex = static_cast<local_id>(own.connectivity[k]);
    if (images.empty() || images[k] == vertex_image{})
      is_there[vertex] = 1;
    else
      moved.push_back({images[k], vertex});
  }
  for (local_id v = 0; v < mesh.vertices().num_local(); ++v)
    if (is_there[v] == 1)
      points.push_back({{}, v});
  std::ranges::sort(moved);
  auto const end = std::unique(moved.begin(), moved.end());
  points.insert(points.end(), moved.begin(), end);
  return points;
}

/// Numbers the corners of elements by the points.
void number_corners(piece& of, corner_images const& images, std::span<point_of_piece const> points,
                    local_id num_vertices) {
  std::vector<std::int64_t> vertices2points(num_vertices, 0);
  std::int64_t num_unmoved = 0;
  while (num_unmoved < std::ssize(points) && points[num_unmoved].image == vertex_image{}) {
    vertices2points[points[num_unmoved].vertex] = num_unmoved;
    ++num_unmoved;
  }
  auto const moved = points.subspan(num_unmoved);
  for (std::size_t k = 0; k < of.connectivity.size(); ++k) {
    auto const vertex = static_cast<local_id>(of.connectivity[k]);
    bool const is_moved = !images.empty() && images[k] != vertex_image{};
    of.connectivity[k] =
        is_moved
            ? num_unmoved + (std::ranges::lower_bound(moved, point_of_piece{images[k], vertex}) -
                             moved.begin())
            : vertices2points[vertex];
  }
}

/// A number for an image of a vertex that no vertex and no other image has.
global_id id_of_image(global_id vertex, vertex_image const& image, global_id largest) {
  constexpr std::int64_t base = 256, most = base * base * base + 1;
  if (largest + 1 > no_id / most)
    refuse(
        fmt::format("vertex {} (expected ids below {}, which leave numbers for images of vertices "
                    "in a periodic mesh)",
                    largest, no_id / most));
  std::int64_t code = 0;
  for (std::int8_t const step : image.steps)
    code = base * code + static_cast<std::uint8_t>(step);
  return (largest + 1) * code + vertex;
}

/// Adds places and ids of the points.
/// Collective: over the mesh.
void describe_points(piece& of, Mesh const& mesh, std::span<point_of_piece const> points) {
  bool const is_periodic = !mesh.periods().empty();
  global_id largest = 0;
  for (global_id const id : mesh.vertices().ids)
    largest = std::max(largest, id);
  largest = is_periodic ? mpi::allreduce(mesh.base().context(), largest, MPI_MAX) : 0;
  for (auto const& [image, v] : points) {
    vector3 const moved = translation_of(image, mesh.periods());
    global_id const id = mesh.vertices().ids[v];
    for (int axis = 0; axis < 3; ++axis)
      of.places.push_back(mesh.coordinates()[3 * std::int64_t{v} + axis] + moved[axis]);
    of.vertices.push_back(v);
    of.vertex_ids.push_back(is_periodic ? id_of_image(id, image, largest) : id);
    if (is_periodic)
      of.joined_ids.push_back(id);
  }
}

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
  std::byte* to = made.own_values.data();
  for (local_id const entity : entities)
    for (int component = 0; component < field.num_components; ++component)
      to = std::copy_n(field.data + entity * field.entity_bytes + component * field.component_bytes,
                       field.format.bytes, to);
  made.values = made.own_values.data();
  return made;
}

/// Where in the file at `path` the values of the arrays begin. [bytes]
/// Collective: over `over`.
std::vector<std::int64_t> places_of(mpi::comm_view over, std::string const& path,
                                    std::span<file_array const> arrays) {
  std::vector<std::int64_t> places(arrays.size());
  collectively(over, [&] {
    if (over.rank() != 0)
      return;
    hdf5_turn const turn;
    auto const file = open_alone(path);
    for (std::int64_t k = 0; k < std::ssize(arrays); ++k)
      if (arrays[k].rows.total > 0)
        places[k] = place_in_file(open_dataset(file, "/VTKHDF/" + arrays[k].name));
  });
  mpi::bcast(over, std::span(places), 0);
  return places;
}

/// Writes the arrays where ranks are endpoints, of which HDF5 knows nothing: each rank writes its rows
/// as bytes to where they lie in the file.
/// Collective: over `over`.
void write_rows(mpi::comm_view over, std::string const& path, std::span<file_array const> arrays,
                std::int64_t step) {
  auto const places = places_of(over, path, arrays);
  collectively(over, [&] {
    open_file const file(path, open_file::access::writing, "vtkhdf");
    for (std::int64_t k = 0; k < std::ssize(arrays); ++k) {
      extent_of_all const& rows = arrays[k].rows;
      std::int64_t const row = arrays[k].row_bytes(), first = step * rows.total + rows.before;
      int const failure =
          file.write_at(places[k] + first * row, std::span(arrays[k].values, rows.own * row));
      if (failure != 0)
        refuse(failure < 0 ? "the disk takes no more" : std::generic_category().message(failure));
    }
  });
}

} // namespace

piece make_piece(Mesh const& mesh) {
  piece made;
  corner_images images;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    add_element(made, images, mesh.cells(), c, c);
  for (int d = mesh.num_dimensions() - 1; d >= 0; --d) {
    mesh_entities const& parts = mesh.entities(d);
    for (local_id e = 0; e < parts.num_owned; ++e)
      if (parts.tags[e] != 0)
        add_element(made, images, parts, e, mesh.adjacent(d, mesh.num_dimensions())[e].front());
  }
  number_parts(mesh, made);
  made.ranks.assign(made.cells.size(), mesh.base().rank());
  auto const points = find_points(mesh, made, images);
  number_corners(made, images, points, mesh.vertices().num_local());
  describe_points(made, mesh, points);
  return made;
}

std::vector<std::int64_t> file_array::box(std::int64_t num_rows) const {
  return width == 0 ? std::vector{num_rows} : std::vector{num_rows, width};
}

std::int64_t file_array::bytes() const { return rows.total * row_bytes(); }

std::int64_t file_array::row_bytes() const {
  return std::max<std::int64_t>(1, width) * format.bytes;
}

void file_array::write_to(hdf5_id dataset, std::int64_t step, std::int64_t num_steps) const {
  std::int64_t const first = step * rows.total + rows.before;
  auto const start = width == 0 ? std::vector{first} : std::vector{first, std::int64_t{}};
  write_box(dataset, format, box(num_steps * rows.total), start, box(rows.own), values);
}

std::vector<file_array> arrays_of_mesh(Mesh const& mesh, piece const& own) {
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
  if (!mesh.periods().empty())
    all.push_back(array_of<global_id>("PointData/joined_ids", own.joined_ids, points));
  all.push_back(array_of<global_id>("CellData/cell_ids", own.ids, cells));
  all.push_back(array_of<std::int32_t>("CellData/tags", own.tags, cells));
  all.push_back(array_of<std::int32_t>("CellData/rank", own.ranks, cells));
  return all;
}

std::vector<file_array> arrays_of_fields(Mesh const& mesh, piece const& own,
                                         std::span<written_mesh_field const> fields) {
  mpi::comm_view const over = mesh.base().context();
  auto const points = extent_over(over, std::ssize(own.vertices));
  auto const cells = extent_over(over, std::ssize(own.cells));
  std::vector<file_array> all;
  for (written_mesh_field const& field : fields)
    all.push_back(array_of_field(field, own, points, cells));
  return all;
}

void describe_mesh(hdf5_id group, int major, Mesh const& mesh) {
  put_numbers(group, "Version", std::array{major, 0});
  put_text(group, "Type", "UnstructuredGrid");
  constexpr std::size_t most = 60000; // of an attribute, which HDF5 limits [bytes]
  auto const groups = lines_of_groups(mesh.groups());
  for (std::size_t first = 0; first < groups.size(); first += most)
    put_text(group, attribute_of_groups(first / most).c_str(), groups.substr(first, most));
  for (char const* const name : {"PointData", "CellData", "FieldData"})
    create_group(group, name);
}

void write_mesh_arrays(mpi::comm_view over, std::string const& path,
                       std::span<file_array const> arrays, std::int64_t step,
                       std::int64_t num_steps) {
  if (is_of_endpoints(over))
    return write_rows(over, path, arrays, step);
  quiet_hdf5 const quiet;
  auto all = collectively(over, [&] { return open_on_all(over, path); });
  for (file_array const& array : arrays) {
    auto const dataset =
        collectively(over, [&] { return open_dataset(all, "/VTKHDF/" + array.name); });
    collectively(over, [&] { array.write_to(dataset, step, num_steps); });
  }
  collectively(over, [&] { all.close("H5Fclose"); });
}

std::int64_t bytes_of(std::span<file_array const> arrays) {
  std::int64_t bytes = 8192 + 1024 * std::ssize(arrays);
  for (file_array const& array : arrays)
    bytes += array.bytes();
  return bytes;
}

namespace {

/// Refuses the name of an array by which files describe the mesh.
void check_is_no_array_of_mesh(std::string const& name) {
  constexpr std::pair<std::string_view, std::string_view> arrays[] = {
      {"cell_ids", "the ids of cells"},
      {"tags", "the tags of cells"},
      {"rank", "the ranks that own cells"},
      {"vertex_ids", "the ids of vertices"},
      {"joined_ids", "the vertices that are one in a periodic mesh"}};
  for (auto const& [taken, what] : arrays)
    if (name == taken)
      refuse(fmt::format("vtkhdf: a field is named '{}' (expected another name: the file's own "
                         "array of this name has {})",
                         name, what));
}

} // namespace

void check_written_fields(Mesh const& mesh, std::span<written_mesh_field const> fields) {
  std::vector<std::string> names;
  for (written_mesh_field const& field : fields) {
    if (!field.mesh.is_same(mesh))
      refuse(fmt::format("vtkhdf: field '{}' belongs to another mesh", field.name));
    if (field.dimension != 0 && field.dimension != mesh.num_dimensions())
      refuse(fmt::format("vtkhdf: field '{}' is on entities of dimension {} (expected vertices, 0, "
                         "or cells, {})",
                         field.name, field.dimension, mesh.num_dimensions()));
    check_is_no_array_of_mesh(field.name);
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

namespace {

/// VTK's cell types, in the order of the shapes.
constexpr std::uint8_t vtk_types[num_shapes] = {1, 3, 5, 9, 10, 14, 13, 12};

} // namespace

std::uint8_t vtk_type_of(shape kind) noexcept { return vtk_types[static_cast<int>(kind)]; }

std::optional<shape> shape_of_vtk_type(std::int64_t type) noexcept {
  auto const* const found = std::ranges::find(vtk_types, type);
  if (found == std::end(vtk_types))
    return std::nullopt;
  return static_cast<shape>(found - std::begin(vtk_types));
}

} // namespace seam::detail
