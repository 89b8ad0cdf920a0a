/// The arrays of a mesh's VTKHDF file, and this rank's rows of them.
#pragma once

#include <seam/framework/files/hdf5_object.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// Counts of rows on this rank, on the ranks below it, and on all.
struct extent_of_all {
  std::int64_t own, before, total;
};

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
  std::vector<global_id> vertex_ids; ///< [points]; images of a vertex have numbers of their own
  std::vector<global_id> joined_ids; ///< of periodic meshes: [points] the vertex's id
};

/// Makes this rank's piece, with points in the order of the mesh's vertices; in a periodic mesh the
/// images of vertices follow.
/// @throws usage_error  ids leave no numbers for tagged sides, edges and corners, or for images (on
///         all ranks)
/// Collective: over the mesh.
piece make_piece(Mesh const& mesh);

/// An array of the file, and this rank's rows of it.
struct file_array {
  std::string name; ///< with its group, as "PointData/u"
  number_format format;
  extent_of_all rows;
  std::int64_t width; ///< numbers in a row; 0: a list of numbers
  std::byte const* values;
  std::vector<std::byte> own_values{}; ///< memory of `values` if no other object owns them

  /// The extents of `num_rows` rows.
  std::vector<std::int64_t> box(std::int64_t num_rows) const;
  /// Bytes of all ranks' rows.
  std::int64_t bytes() const;
  /// The bytes of a row.
  std::int64_t row_bytes() const;
  /// Writes this rank's rows behind those of `step` steps before.
  /// Collective: over the ranks that opened the file.
  void write_to(hdf5_object::id_type dataset, std::int64_t step = 0,
                std::int64_t num_steps = 1) const;
};

/// Makes all arrays of the mesh itself: places, cells, ids, tags and owners.
/// @param own  outlives the arrays
/// Collective: over the mesh.
std::vector<file_array> arrays_of_mesh(Mesh const& mesh, piece const& own);

/// Makes the arrays of fields, whose values are copied.
/// Collective: over the mesh.
std::vector<file_array> arrays_of_fields(Mesh const& mesh, piece const& own,
                                         std::span<written_mesh_field const> fields);

/// Writes the version and the type of an unstructured grid into the group VTKHDF, with the names of the
/// mesh's tags (up to 60,000 bytes), which VTK does not read, and creates the groups of its arrays.
/// @param major  of the format's version: 2 if there are steps, else 1
/// Local.
void describe_mesh(hdf5_object::id_type group, int major, Mesh const& mesh);

/// Writes the arrays into the file at `path`, which has them already.
/// @throws usage_error  HDF5 cannot write (on all ranks)
/// Collective: over `over`.
void write_mesh_arrays(mpi::comm_view over, std::string const& path,
                       std::span<file_array const> arrays, std::int64_t step = 0,
                       std::int64_t num_steps = 1);

/// The number of bytes of a file with these arrays.
/// Local.
std::int64_t bytes_of(std::span<file_array const> arrays);

/// Checks that all fields belong to `mesh`, lie on cells or vertices and have different names that
/// files can hold.
/// @throws usage_error  one does not
/// Local.
void check_written_fields(Mesh const& mesh, std::span<written_mesh_field const> fields);

/// The fields' names and formats, for comparisons between ranks.
/// Local.
std::string in_words(std::span<written_mesh_field const> fields);

std::uint8_t vtk_type_of(shape kind) noexcept;

/// The shape of a VTK cell type; nothing if seam has no such shape.
std::optional<shape> shape_of_vtk_type(std::int64_t type) noexcept;

} // namespace seam::detail
