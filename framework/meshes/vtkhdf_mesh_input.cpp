#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_input.hpp>
#include <seam/framework/meshes/vtkhdf_shares.hpp>
#include <seam/mesh/entities/groups.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/id_homes.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace seam {
using namespace detail;

namespace {

using namespace detail;

/// Replaces the points' numbers by the vertices' ids.
/// Collective: over `over`.
void name_vertices(Communicator const& over, shares_of_file& read, std::int64_t num_points) {
  auto& vertices = read.elements.vertices;
  std::vector<std::int64_t> points(vertices);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<int> ranks(points.size());
  for (std::int64_t i = 0; i < std::ssize(points); ++i)
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
      width_ += field.num_components;
  }

  std::int64_t bytes() const { return 8 * (2 + width_); }

  std::vector<std::byte> pack(shares_of_file const& read) const {
    std::vector<std::byte> all(read.vertex_ids.size() * bytes());
    for (std::int64_t p = 0; p < std::ssize(read.vertex_ids); ++p) {
      std::byte* to = all.data() + p * bytes();
      std::int64_t const number = read.points.begin + p;
      to = put(to, &read.vertex_ids[p], 1);
      to = put(to, &number, 1);
      to = put(to, read.places.data() + 3 * p, 3);
      for (mesh_values const& field : read.on_points) {
        int const count = field.num_components;
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
      from = take(from, field.values, field.num_components);
  }

private:
  template <class T>
  static std::byte* put(std::byte* to, T const* values, std::int64_t count) {
    std::memcpy(to, values, count * sizeof(T));
    return to + count * sizeof(T);
  }
  template <class T>
  static std::byte const* take(std::byte const* from, std::vector<T>& to, std::int64_t count) {
    to.resize(to.size() + count);
    std::memcpy(to.data() + (to.size() - count), from, count * sizeof(T));
    return from + count * sizeof(T);
  }

  std::int64_t width_ = 3;
};

/// The head of a point's record.
struct point_key {
  global_id id;
  std::int64_t point; ///< its number in the file
  std::array<double, 3> place;
};

/// Records of points, one behind the other.
struct arrived_points {
  point_records const& format;
  std::vector<std::byte> bytes;

  std::byte const* at(std::int64_t record) const { return bytes.data() + record * format.bytes(); }
  point_key key_of(std::int64_t record) const {
    point_key key;
    std::memcpy(&key, at(record), sizeof(key));
    return key;
  }

  /// The records by ascending id, those of one id by their numbers in the file.
  std::vector<std::int64_t> order() const {
    return order_by(std::ssize(bytes) / format.bytes(), [&](std::int64_t record) {
      return std::pair(key_of(record).id, key_of(record).point);
    });
  }
};

/// Keeps the first of the points of each id.
/// @throws usage_error  points of one id are in different places
void keep_first_points(hdf5_input const& file, arrived_points const& points, mesh_file& into) {
  std::optional<point_key> last;
  for (std::int64_t const record : points.order()) {
    point_key const now = points.key_of(record);
    bool const is_new = !last || last->id != now.id;
    if (!is_new && last->place != now.place)
      file.refuse(fmt::format("PointData/vertex_ids[{}]: vertex {} is in another place than in "
                              "[{}] (expected the same)",
                              now.point, now.id, last->point));
    if (!is_new)
      continue;
    points.format.unpack(points.at(record), into.mesh, into.on_vertices);
    last = now;
  }
}

/// Sends all points of one id to one rank, which keeps the first.
/// Collective: over `over`.
void merge_points(Communicator const& over, hdf5_input const& file, shares_of_file const& read,
                  mesh_file& into) {
  point_records const records(read.on_points);
  std::vector<int> homes;
  for (global_id const id : read.vertex_ids)
    homes.push_back(home_of_id(id, over.size()));
  arrived_points const here{records,
                            migrate_bytes(over, records.bytes(), records.pack(read), homes)};
  for (mesh_values const& field : read.on_points)
    into.on_vertices.push_back({field.name, field.num_components, {}});
  collectively(over.context(), [&] { keep_first_points(file, here, into); });
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

/// The highest dimension of an element on any rank.
/// @throws usage_error  all elements are points (on all ranks)
/// Collective: over `over`.
int find_dimension(mpi::comm_view over, hdf5_input const& file, shares_of_file const& read) {
  int own = 0;
  for (shape const kind : read.elements.shapes)
    own = std::max(own, dimensions_of(kind));
  int const highest = mpi::allreduce(over, own, MPI_MAX);
  if (highest == 0)
    throw usage_error(fmt::format("vtkhdf: '{}': no cells that are more than points", file.path()),
                      true);
  return highest;
}

/// Reserves memory for the cells, the elements of the mesh's dimension, and for their fields.
void make_room_for_cells(mesh_file& into, shares_of_file const& read) {
  std::int64_t num_cells = 0, num_corners = 0;
  for (shape const kind : read.elements.shapes)
    if (dimensions_of(kind) == into.mesh.num_dimensions) {
      ++num_cells;
      num_corners += num_vertices_of(kind);
    }
  make_room(into.mesh.cells, num_cells, num_corners);
  for (mesh_values const& field : read.on_elements) {
    into.on_cells.push_back({field.name, field.num_components, {}});
    into.on_cells.back().values.reserve(num_cells * field.num_components);
  }
}

/// Makes elements of the mesh's dimension cells, and the other tagged elements the boundary.
void sort_elements(shares_of_file const& read, mesh_file& into) {
  make_room_for_cells(into, read);
  element_list const& all = read.elements;
  for (std::int64_t e = 0; e < std::ssize(all.ids); ++e) {
    bool const is_cell = dimensions_of(all.shapes[e]) == into.mesh.num_dimensions;
    if (is_cell || all.tags[e] != 0)
      append(is_cell ? into.mesh.cells : into.mesh.boundary, all, e);
    for (int f = 0; is_cell && f < std::ssize(read.on_elements); ++f) {
      auto const& field = read.on_elements[f];
      auto const row = field.values.begin() + e * field.num_components;
      auto& values = into.on_cells[f].values;
      values.insert(values.end(), row, row + field.num_components);
    }
  }
}

} // namespace

mesh_file read_vtkhdf(Communicator const& over, std::string const& path) {
  detail::call_scope const here("read_vtkhdf");
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
    if (read.num_pieces > 1)
      found.mesh.notes.push_back(fmt::format(
          "vtkhdf: '{}': {} pieces without PointData/vertex_ids: they are not joined where their "
          "points coincide",
          path, read.num_pieces));
    found.mesh.vertex_ids = std::move(read.vertex_ids);
    found.mesh.coordinates = std::move(read.places);
    found.on_vertices = std::move(read.on_points);
  }
  for (std::int64_t p = 0; p < std::ssize(read.joined_ids); ++p)
    if (read.joined_ids[p] != read.vertex_ids[p])
      found.mesh.joined.push_back({read.vertex_ids[p], read.joined_ids[p]});
  found.mesh.num_dimensions = find_dimension(all, *file, read);
  found.mesh.groups = collectively(all, [&] {
    hdf5_turn const turn;
    std::string lines, more;
    for (std::size_t part = 0; part == 0 || !more.empty(); lines += more)
      more = file->text("VTKHDF", attribute_of_groups(part++).c_str());
    return groups_of_lines(lines);
  });
  sort_elements(read, found);
  return found;
}

} // namespace seam
