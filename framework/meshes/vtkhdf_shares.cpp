#include <seam/framework/meshes/vtkhdf_shares.hpp>

#include <seam/exchange/numbering/shares.hpp>
#include <seam/framework/meshes/mesh_arrays.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace seam::detail {
namespace {

interval share_of(mpi::comm_view over, std::int64_t total) {
  return {begin_of_share(over.rank(), total, over.size()),
          begin_of_share(over.rank() + 1, total, over.size())};
}

/// One of the pieces of the file, with its ranges of the file's points, cells and corners.
struct file_piece {
  std::int64_t number = 0;
  interval points, cells, corners;
};

/// The numbers of points, cells and corners in the arrays of the file.
struct array_sizes {
  std::int64_t points, cells, corners;
};

/// Walks over the pieces of a file, whose ranges follow each other in the arrays.
class piece_walk {
public:
  piece_walk(hdf5_input const& file, array_sizes const& sizes)
      : file_(file),
        sizes_(sizes),
        points_(file, "NumberOfPoints"),
        cells_(file, "NumberOfCells"),
        corners_(file, "NumberOfConnectivityIds") {
    for (hdf5_array const* array : {&points_, &cells_, &corners_})
      array->require(points_.num_rows(), 1);
  }

  /// The pieces that have cells of the share `own`.
  std::vector<file_piece> pieces_with(interval const& own) {
    constexpr std::int64_t at_once = 4096;
    std::int64_t const count = points_.num_rows();
    for (std::int64_t first = 0; first < count; first += at_once)
      take(first, std::min(at_once, count - first), own);
    if (at_.points.end != sizes_.points || at_.cells.end != sizes_.cells ||
        at_.corners.end != sizes_.corners)
      file_.refuse(fmt::format("the pieces have {} points, {} cells and {} corners (expected {}, "
                               "{} and {}, as the arrays have)",
                               at_.points.end, at_.cells.end, at_.corners.end, sizes_.points,
                               sizes_.cells, sizes_.corners));
    return std::move(found_);
  }

private:
  void take(std::int64_t first, std::int64_t count, interval const& own) {
    auto const num_points = points_.rows<std::int64_t>(first, count);
    auto const num_cells = cells_.rows<std::int64_t>(first, count);
    auto const num_corners = corners_.rows<std::int64_t>(first, count);
    for (std::int64_t k = 0; k < count; ++k) {
      at_.number = first + k;
      move_by(points_, num_points[k], sizes_.points, at_.points);
      move_by(cells_, num_cells[k], sizes_.cells, at_.cells);
      move_by(corners_, num_corners[k], sizes_.corners, at_.corners);
      if (at_.cells.begin < own.end && own.begin < at_.cells.end)
        found_.push_back(at_);
    }
  }

  void move_by(hdf5_array const& array, std::int64_t length, std::int64_t most,
               interval& into) const {
    if (length < 0 || length > most - into.end)
      array.refuse_at(at_.number,
                      fmt::format("{} (expected 0 to {}, as there are {} in all pieces)", length,
                                  most - into.end, most));
    into = {into.end, into.end + length};
  }

  hdf5_input const& file_;
  array_sizes sizes_;
  hdf5_array points_, cells_, corners_;
  file_piece at_;
  std::vector<file_piece> found_;
};

/// Adds the shapes of some cells of a piece.
/// @param kinds  [cells] VTK's types
/// @param ends   [cells + 1] the first corner of each in the piece, and the end
void add_shapes(hdf5_input const& file, file_piece const& piece, std::int64_t first_cell,
                std::span<std::int64_t const> kinds, std::span<std::int64_t const> ends,
                element_list& to) {
  for (std::int64_t c = 0; c < std::ssize(kinds); ++c) {
    auto const kind = shape_of_vtk_type(kinds[c]);
    if (!kind)
      hdf5_array(file, "Types")
          .refuse_at(first_cell + c,
                     fmt::format("cell type {} (expected one with straight sides: 1, 3, 5, 9, 10 "
                                 "or 12 to 14)",
                                 kinds[c]));
    std::int64_t const begin = ends[c], wanted = begin + num_vertices_of(*kind);
    if (begin < 0 || begin > piece.corners.length() || ends[c + 1] != wanted ||
        wanted > piece.corners.length())
      hdf5_array(file, "Offsets")
          .refuse_at(first_cell + piece.number + c + 1,
                     fmt::format("{} after {} (expected {} more, at most {})", ends[c + 1], begin,
                                 num_vertices_of(*kind), piece.corners.length()));
    to.shapes.push_back(*kind);
    to.elements2vertices.push_back(to.elements2vertices.back() + num_vertices_of(*kind));
  }
}

/// Adds the corners `begin` to `end` - 1 of a piece, as points of the file.
void add_corners(hdf5_input const& file, file_piece const& piece, std::int64_t begin,
                 std::int64_t end, element_list& to) {
  hdf5_array const corners(file, "Connectivity");
  std::int64_t corner = piece.corners.begin + begin;
  for (std::int64_t const point : corners.rows<std::int64_t>(corner, end - begin)) {
    if (point < 0 || point >= piece.points.length())
      corners.refuse_at(corner,
                        fmt::format("point {} (expected 0 to {}, as the piece has {})", point,
                                    piece.points.length() - 1, piece.points.length()));
    to.vertices.push_back(piece.points.begin + point);
    ++corner;
  }
}

/// Adds the cells of a piece that belong to the share.
void add_cells(hdf5_input const& file, file_piece const& piece, interval const& own,
               element_list& to) {
  interval const cells{std::max(own.begin, piece.cells.begin), std::min(own.end, piece.cells.end)};
  auto const kinds = hdf5_array(file, "Types").rows<std::int64_t>(cells.begin, cells.length());
  auto const ends = hdf5_array(file, "Offsets")
                        .rows<std::int64_t>(cells.begin + piece.number, cells.length() + 1);
  std::int64_t const begin = ends.front(), end = ends.back();
  bool const is_sane = begin >= 0 && begin <= end && end <= piece.corners.length();
  make_room(to, cells.length(), is_sane ? end - begin : 0);
  add_shapes(file, piece, cells.begin, kinds, ends, to);
  add_corners(file, piece, begin, end, to);
}

bool is_field(std::string const& name) {
  return name != "vertex_ids" && name != "joined_ids" && name != "cell_ids" && name != "tags" &&
         name != "rank";
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
  for (std::int64_t i = 0; i < std::ssize(ids); ++i)
    if (ids[i] < 0 || ids[i] == no_id)
      array.refuse_at(own.begin + i, fmt::format("{} (expected 0 to 2^63 - 2)", ids[i]));
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

void check_kind(hdf5_input const& file) {
  if (!file.has("/VTKHDF"))
    file.refuse("there is no group VTKHDF (expected what VTK writes with this suffix)");
  if (auto const [major, minor] = file.version("/VTKHDF"); major < 1 || major > 2)
    file.refuse(fmt::format("version {}.{} (expected 1 or 2)", major, minor));
  if (auto const type = file.text("/VTKHDF", "Type"); type != "UnstructuredGrid")
    file.refuse(type.empty() ? "the group VTKHDF has no text as attribute Type (expected "
                               "UnstructuredGrid)"
                             : fmt::format("type '{}' (expected UnstructuredGrid)", type));
  if (file.has("/VTKHDF/Steps"))
    file.refuse("a series in time (expected a single grid)");
}

} // namespace

void make_room(element_list& to, std::int64_t num_elements, std::int64_t num_vertices) {
  to.shapes.reserve(to.shapes.size() + num_elements);
  to.ids.reserve(to.ids.size() + num_elements);
  to.tags.reserve(to.tags.size() + num_elements);
  to.elements2vertices.reserve(to.elements2vertices.size() + num_elements + 1);
  to.vertices.reserve(to.vertices.size() + num_vertices);
}

shares_of_file read_shares(mpi::comm_view over, hdf5_input const& file) {
  hdf5_turn const turn;
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
  piece_walk pieces(file, {num_points, num_cells, corners.num_rows()});
  for (file_piece const& piece : pieces.pieces_with(read.cells))
    add_cells(file, piece, read.cells, read.elements);
  read.elements.ids = read_ids(file, "CellData/cell_ids", num_cells, read.cells);
  read.elements.tags = read_tags(file, num_cells, read.cells);
  read.on_elements = read_fields(file, "CellData", num_cells, read.cells);
  read.has_vertex_ids = file.has("/VTKHDF/PointData/vertex_ids");
  read.num_pieces = hdf5_array(file, "NumberOfCells").num_rows();
  read.vertex_ids = read_ids(file, "PointData/vertex_ids", num_points, read.points);
  if (read.has_vertex_ids && file.has("/VTKHDF/PointData/joined_ids"))
    read.joined_ids = read_ids(file, "PointData/joined_ids", num_points, read.points);
  read.places = places.rows<double>(read.points.begin, read.points.length());
  for (std::int64_t k = 0; k < std::ssize(read.places); ++k)
    if (!std::isfinite(read.places[k]))
      places.refuse_at(read.points.begin + k / 3,
                       fmt::format("coordinate {} (expected a finite number)", read.places[k]));
  read.on_points = read_fields(file, "PointData", num_points, read.points);
  return read;
}

} // namespace seam::detail
