#include <seam/framework/files/vtkhdf_mesh_input.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_input.hpp>
#include <seam/framework/files/vtk_cells.hpp>
#include <seam/mesh/input/id_homes.hpp>
#include <seam/mesh/numbering/rendezvous.hpp>
#include <seam/mesh/numbering/shares.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

namespace seam {
using namespace detail;

namespace {

using namespace detail;

/// The numbers from `begin` to `end` - 1.
struct interval {
  std::int64_t begin = 0, end = 0;
  std::int64_t length() const { return end - begin; }
};

interval share_of(mpi::comm_view over, std::int64_t total) {
  return {begin_of_share(over.rank(), total, over.size()),
          begin_of_share(over.rank() + 1, total, over.size())};
}

/// One of the pieces of the file, with its ranges of the file's points, cells and corners.
struct file_piece {
  std::int64_t number = 0;
  interval points, cells, corners;
};

/// Finds the pieces that have cells of the share `own`.
std::vector<file_piece> pieces_with(hdf5_input const& file, interval const& own,
                                    std::int64_t num_points, std::int64_t num_cells,
                                    std::int64_t num_corners) {
  hdf5_array const points(file, "NumberOfPoints"), cells(file, "NumberOfCells"),
      corners(file, "NumberOfConnectivityIds");
  std::int64_t const count = points.num_rows();
  std::vector<file_piece> found;
  file_piece at;
  auto const move_to_next = [&](hdf5_array const& array, std::int64_t element, std::int64_t length,
                                std::int64_t most, interval& into) {
    if (length < 0 || length > most - into.end)
      array.refuse_at(element, fmt::format("{} (expected 0 to {}, as there are {} in all pieces)",
                                           length, most - into.end, most));
    into = {into.end, into.end + length};
  };
  constexpr std::int64_t at_once = 4096;
  for (hdf5_array const* array : {&points, &cells, &corners})
    array->require(count, 1);
  for (std::int64_t first = 0; first < count; first += at_once) {
    std::int64_t const here = std::min(at_once, count - first);
    auto const num_points_of = points.rows<std::int64_t>(first, here);
    auto const num_cells_of = cells.rows<std::int64_t>(first, here);
    auto const num_corners_of = corners.rows<std::int64_t>(first, here);
    for (std::int64_t k = 0; k < here; ++k) {
      auto const i = static_cast<std::size_t>(k);
      at.number = first + k;
      move_to_next(points, at.number, num_points_of[i], num_points, at.points);
      move_to_next(cells, at.number, num_cells_of[i], num_cells, at.cells);
      move_to_next(corners, at.number, num_corners_of[i], num_corners, at.corners);
      if (at.cells.begin < own.end && own.begin < at.cells.end)
        found.push_back(at);
    }
  }
  if (at.points.end != num_points || at.cells.end != num_cells || at.corners.end != num_corners)
    file.refuse(fmt::format("the pieces have {} points, {} cells and {} corners (expected {}, {} "
                            "and {}, as the arrays have)",
                            at.points.end, at.cells.end, at.corners.end, num_points, num_cells,
                            num_corners));
  return found;
}

/// Reserves memory for exactly the elements to come; vectors that grow take up to twice as much.
void make_room(element_list& to, std::int64_t num_elements, std::int64_t num_vertices) {
  to.shapes.reserve(to.shapes.size() + std::size_t(num_elements));
  to.ids.reserve(to.ids.size() + std::size_t(num_elements));
  to.tags.reserve(to.tags.size() + std::size_t(num_elements));
  to.elements2vertices.reserve(to.elements2vertices.size() + std::size_t(num_elements) + 1);
  to.vertices.reserve(to.vertices.size() + std::size_t(num_vertices));
}

/// Adds the cells of a piece that belong to the share, with points of the file as vertices.
void add_cells(hdf5_input const& file, file_piece const& piece, interval const& own,
               element_list& to) {
  hdf5_array const types(file, "Types"), offsets(file, "Offsets"), corners(file, "Connectivity");
  interval const cells{std::max(own.begin, piece.cells.begin), std::min(own.end, piece.cells.end)};
  std::int64_t const first_offset = cells.begin + piece.number;
  auto const kinds = types.rows<std::int64_t>(cells.begin, cells.length());
  auto const ends = offsets.rows<std::int64_t>(first_offset, cells.length() + 1);
  bool const is_sane =
      ends.front() >= 0 && ends.front() <= ends.back() && ends.back() <= piece.corners.length();
  make_room(to, cells.length(), is_sane ? ends.back() - ends.front() : 0);
  for (std::int64_t c = 0; c < cells.length(); ++c) {
    auto const i = static_cast<std::size_t>(c);
    auto const kind = shape_of_vtk_type(kinds[i]);
    if (!kind)
      types.refuse_at(cells.begin + c,
                      fmt::format("cell type {} (expected one with straight sides: 1, 3, 5, 9, 10 "
                                  "or 12 to 14)",
                                  kinds[i]));
    std::int64_t const begin = ends[i], wanted = begin + num_vertices_of(*kind);
    if (begin < 0 || begin > piece.corners.length() || ends[i + 1] != wanted ||
        wanted > piece.corners.length())
      offsets.refuse_at(first_offset + c + 1,
                        fmt::format("{} after {} (expected {} more, at most {})", ends[i + 1],
                                    begin, num_vertices_of(*kind), piece.corners.length()));
    to.shapes.push_back(*kind);
    to.elements2vertices.push_back(to.elements2vertices.back() + num_vertices_of(*kind));
  }
  std::int64_t corner = piece.corners.begin + ends.front();
  for (std::int64_t const point : corners.rows<std::int64_t>(corner, ends.back() - ends.front())) {
    if (point < 0 || point >= piece.points.length())
      corners.refuse_at(corner,
                        fmt::format("point {} (expected 0 to {}, as the piece has {})", point,
                                    piece.points.length() - 1, piece.points.length()));
    to.vertices.push_back(piece.points.begin + point);
    ++corner;
  }
}

bool is_field(std::string const& name) {
  return name != "vertex_ids" && name != "cell_ids" && name != "tags" && name != "rank";
}

/// Reads the share `own` of the rows of all fields of a group.
std::vector<mesh_values> read_fields(hdf5_input const& file, std::string const& group,
                                     std::int64_t num_rows, interval const& own) {
  std::vector<mesh_values> fields;
  for (std::string const& name : file.members("/VTKHDF/" + group)) {
    if (!is_field(name))
      continue;
    hdf5_array const array(file, fmt::format("{}/{}", group, name));
    if (!array.is_numeric())
      continue;
    array.require(num_rows, array.width());
    if (array.width() > 1000)
      file.refuse(fmt::format("{} has {} components (expected at most 1000)", array.name(),
                              array.width()));
    fields.push_back({name, static_cast<int>(array.width()),
                      array.rows<double>(own.begin, own.length())});
  }
  return fields;
}

/// Reads the ids of the share's rows; where the file has none, the rows' numbers.
std::vector<global_id> read_ids(hdf5_input const& file, std::string const& name,
                                std::int64_t num_rows, interval const& own) {
  std::vector<global_id> ids(own.length());
  std::iota(ids.begin(), ids.end(), own.begin);
  if (!file.has("/VTKHDF/" + name))
    return ids;
  hdf5_array const array(file, name);
  array.require(num_rows, 1);
  ids = array.rows<global_id>(own.begin, own.length());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] == no_id)
      array.refuse_at(own.begin + std::int64_t(i),
                      fmt::format("{} (expected 0 to 2^63 - 2)", ids[i]));
  return ids;
}

std::vector<std::int32_t> read_tags(hdf5_input const& file, std::int64_t num_rows,
                                    interval const& own) {
  if (!file.has("/VTKHDF/CellData/tags"))
    return std::vector<std::int32_t>(own.length());
  hdf5_array const array(file, "CellData/tags");
  array.require(num_rows, 1);
  return array.rows<std::int32_t>(own.begin, own.length());
}

/// This rank's shares of cells and points, in the order of the file.
struct shares_of_file {
  interval cells, points;
  element_list elements; ///< vertices: points of the file
  std::vector<mesh_values> on_elements;
  bool has_vertex_ids = false;
  std::vector<global_id> vertex_ids; ///< of the points
  std::vector<double> places;        ///< of the points
  std::vector<mesh_values> on_points;
};

void check_kind(hdf5_input const& file) {
  if (!file.has("/VTKHDF"))
    file.refuse("there is no group VTKHDF (expected what VTK writes with this suffix)");
  if (auto const [major, minor] = file.version("/VTKHDF"); major < 1 || major > 2)
    file.refuse(fmt::format("version {}.{} (expected 1 or 2)", major, minor));
  if (auto const type = file.text("/VTKHDF", "Type"); type != "UnstructuredGrid")
    file.refuse(fmt::format("type '{}' (expected UnstructuredGrid)", type));
  if (file.has("/VTKHDF/Steps"))
    file.refuse("a series in time (expected a single grid)");
}

shares_of_file read_shares(mpi::comm_view over, hdf5_input const& file) {
  check_kind(file);
  hdf5_array const types(file, "Types"), places(file, "Points"), corners(file, "Connectivity"),
      offsets(file, "Offsets");
  std::int64_t const num_cells = types.num_rows(), num_points = places.num_rows();
  types.require(num_cells, 1);
  places.require(num_points, 3);
  corners.require(corners.num_rows(), 1);
  offsets.require(num_cells + hdf5_array(file, "NumberOfCells").num_rows(), 1);
  shares_of_file read;
  read.cells = share_of(over, num_cells);
  read.points = share_of(over, num_points);
  read.elements.elements2vertices.push_back(0);
  for (file_piece const& piece :
       pieces_with(file, read.cells, num_points, num_cells, corners.num_rows()))
    add_cells(file, piece, read.cells, read.elements);
  read.elements.ids = read_ids(file, "CellData/cell_ids", num_cells, read.cells);
  read.elements.tags = read_tags(file, num_cells, read.cells);
  read.on_elements = read_fields(file, "CellData", num_cells, read.cells);
  read.has_vertex_ids = file.has("/VTKHDF/PointData/vertex_ids");
  read.vertex_ids = read_ids(file, "PointData/vertex_ids", num_points, read.points);
  read.places = places.rows<double>(read.points.begin, read.points.length());
  for (std::size_t k = 0; k < read.places.size(); ++k)
    if (!std::isfinite(read.places[k]))
      places.refuse_at(read.points.begin + std::int64_t(k / 3),
                       fmt::format("coordinate {} (expected a finite number)", read.places[k]));
  read.on_points = read_fields(file, "PointData", num_points, read.points);
  return read;
}

/// Replaces the points' numbers by the vertices' ids.
/// Collective: over `over`.
void name_vertices(Communicator const& over, shares_of_file& read, std::int64_t num_points) {
  auto& vertices = read.elements.vertices;
  std::vector<std::int64_t> points(vertices);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<int> ranks(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    ranks[i] = share_with(points[i], num_points, over.size()).number;
  auto const ids =
      ask<global_id, std::int64_t>(over, points, ranks, [&](received<std::int64_t> const& asked) {
        std::vector<global_id> answers;
        for (std::int64_t const point : asked.records)
          answers.push_back(read.vertex_ids[point - read.points.begin]);
        return answers;
      });
  for (global_id& vertex : vertices)
    vertex = ids[std::ranges::lower_bound(points, vertex) - points.begin()];
}

/// The bytes of a point in a message: its id, its number in the file, coordinates and fields.
class point_records {
public:
  explicit point_records(std::vector<mesh_values> const& fields) {
    for (mesh_values const& field : fields)
      width_ += static_cast<std::size_t>(field.num_components);
  }

  std::size_t bytes() const { return 8 * (2 + width_); }

  std::vector<std::byte> pack(shares_of_file const& read) const {
    std::vector<std::byte> all(read.vertex_ids.size() * bytes());
    for (std::size_t p = 0; p < read.vertex_ids.size(); ++p) {
      std::byte* to = all.data() + p * bytes();
      std::int64_t const number = read.points.begin + std::int64_t(p);
      to = put(to, &read.vertex_ids[p], 1);
      to = put(to, &number, 1);
      to = put(to, read.places.data() + 3 * p, 3);
      for (mesh_values const& field : read.on_points) {
        auto const count = static_cast<std::size_t>(field.num_components);
        to = put(to, field.values.data() + p * count, count);
      }
    }
    return all;
  }

  /// Appends a record to the mesh and the fields.
  void unpack(std::byte const* from, mesh_input& mesh, std::vector<mesh_values>& fields) const {
    from = take(from, mesh.vertex_ids, 1) + 8;
    from = take(from, mesh.coordinates, 3);
    for (mesh_values& field : fields)
      from = take(from, field.values, static_cast<std::size_t>(field.num_components));
  }

private:
  template <class T>
  static std::byte* put(std::byte* to, T const* values, std::size_t count) {
    std::memcpy(to, values, count * sizeof(T));
    return to + count * sizeof(T);
  }
  template <class T>
  static std::byte const* take(std::byte const* from, std::vector<T>& to, std::size_t count) {
    to.resize(to.size() + count);
    std::memcpy(to.data() + (to.size() - count), from, count * sizeof(T));
    return from + count * sizeof(T);
  }

  std::size_t width_ = 3;
};

/// Sends all points of one id to one rank, which keeps the first.
/// Collective: over `over`.
void merge_points(Communicator const& over, hdf5_input const& file, shares_of_file const& read,
                  mesh_file& into) {
  point_records const records(read.on_points);
  std::vector<int> homes;
  for (global_id const id : read.vertex_ids)
    homes.push_back(home_of_id(id, over.size()));
  auto const here = migrate_bytes(over, records.bytes(), records.pack(read), homes);
  struct key {
    global_id id;
    std::int64_t point;
    std::array<double, 3> place;
  };
  auto const at = [&](std::size_t record) { return here.data() + record * records.bytes(); };
  auto const key_of = [&](std::size_t record) {
    key found;
    std::memcpy(&found, at(record), sizeof(found));
    return found;
  };
  std::vector<std::size_t> order(here.size() / records.bytes());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t record) {
    return std::pair(key_of(record).id, key_of(record).point);
  });
  for (mesh_values const& field : read.on_points)
    into.on_vertices.push_back({field.name, field.num_components, {}});
  collectively(over.context(), [&] {
    std::optional<key> last;
    for (std::size_t const record : order) {
      key const now = key_of(record);
      bool const is_new = !last || last->id != now.id;
      if (!is_new && last->place != now.place)
        file.refuse(fmt::format("PointData/vertex_ids[{}]: vertex {} is in another place than in "
                                "[{}] (expected the same)",
                                now.point, now.id, last->point));
      if (is_new)
        records.unpack(at(record), into.mesh, into.on_vertices);
      if (is_new)
        last = now;
    }
  });
}

/// Throws if two cells have one id.
/// Collective: over `over`.
void check_cell_ids(Communicator const& over, hdf5_input const& file, shares_of_file const& read) {
  global_id const twice = id_homes(over, read.elements.ids).least_duplicate();
  if (twice == no_id)
    return;
  auto const& ids = read.elements.ids;
  auto const found = std::ranges::find(ids, twice);
  auto const first =
      mpi::allreduce(over.context(),
                     found == ids.end() ? no_id : read.cells.begin + (found - ids.begin()),
                     MPI_MIN);
  throw usage_error(fmt::format("vtkhdf: '{}': CellData/cell_ids[{}]: {} is there twice (expected "
                                "different numbers)",
                                file.path(), first, twice),
                    true);
}

void append_element(element_list& to, element_list const& from, std::size_t e) {
  if (to.elements2vertices.empty())
    to.elements2vertices.push_back(0);
  auto const begin = from.vertices.begin();
  to.vertices.insert(to.vertices.end(), begin + from.elements2vertices[e],
                     begin + from.elements2vertices[e + 1]);
  to.elements2vertices.push_back(std::ssize(to.vertices));
  to.shapes.push_back(from.shapes[e]);
  to.ids.push_back(from.ids[e]);
  to.tags.push_back(from.tags[e]);
}

/// Makes elements of the highest dimension cells, and the other tagged elements the boundary.
/// Collective: over `over`.
void sort_elements(mpi::comm_view over, hdf5_input const& file, shares_of_file const& read,
                   mesh_file& into) {
  int highest = 0;
  for (shape const kind : read.elements.shapes)
    highest = std::max(highest, dimensions_of(kind));
  into.mesh.num_dimensions = mpi::allreduce(over, highest, MPI_MAX);
  if (into.mesh.num_dimensions == 0)
    throw usage_error(fmt::format("vtkhdf: '{}': no cells that are more than points", file.path()),
                      true);
  auto const is_cell = [&](shape kind) { return dimensions_of(kind) == into.mesh.num_dimensions; };
  std::int64_t num_cells = 0, num_corners = 0;
  for (shape const kind : read.elements.shapes) {
    num_cells += is_cell(kind) ? 1 : 0;
    num_corners += is_cell(kind) ? num_vertices_of(kind) : 0;
  }
  make_room(into.mesh.cells, num_cells, num_corners);
  for (mesh_values const& field : read.on_elements) {
    into.on_cells.push_back({field.name, field.num_components, {}});
    into.on_cells.back().values.reserve(num_cells * field.num_components);
  }
  for (std::size_t e = 0; e < read.elements.ids.size(); ++e) {
    bool const fills = is_cell(read.elements.shapes[e]);
    if (fills || read.elements.tags[e] != 0)
      append_element(fills ? into.mesh.cells : into.mesh.boundary, read.elements, e);
    for (std::size_t f = 0; fills && f < read.on_elements.size(); ++f) {
      auto const& field = read.on_elements[f];
      auto const row = field.values.begin() + std::ptrdiff_t(e) * field.num_components;
      auto& values = into.on_cells[f].values;
      values.insert(values.end(), row, row + field.num_components);
    }
  }
}

} // namespace

mesh_file read_vtkhdf(Communicator const& over, std::string const& path) {
  detail::call_scope const here("read_vtkhdf");
  quiet_hdf5 const quiet;
  mpi::comm_view const all = over.context();
  auto const file = collectively(all, [&] { return std::make_unique<hdf5_input>(path); });
  require_same(all, fmt::format("vtkhdf: bytes of '{}'", path), std::to_string(file->bytes()));
  auto read = collectively(all, [&] { return read_shares(all, *file); });
  mesh_file found;
  check_cell_ids(over, *file, read);
  if (read.has_vertex_ids) {
    auto const num_points = mpi::allreduce(all, read.points.length(), MPI_SUM);
    name_vertices(over, read, num_points);
    merge_points(over, *file, read, found);
  } else {
    found.mesh.vertex_ids = std::move(read.vertex_ids);
    found.mesh.coordinates = std::move(read.places);
    found.on_vertices = std::move(read.on_points);
  }
  sort_elements(all, *file, read, found);
  return found;
}

} // namespace seam
