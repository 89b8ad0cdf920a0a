/// Shares of a VTKHDF file: the rows of its arrays that one rank reads, checked against each other.
#pragma once

#include <seam/framework/files/hdf5_input.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>

#include <cstdint>
#include <vector>

namespace seam::detail {

/// The numbers from `begin` to `end` - 1.
struct interval {
  std::int64_t begin = 0, end = 0;
  std::int64_t length() const { return end - begin; }
};

/// This rank's shares of cells and points, in the order of the file.
struct shares_of_file {
  interval cells, points;
  element_list elements; ///< vertices: points of the file
  std::vector<mesh_values> on_elements;
  bool has_vertex_ids = false;
  std::int64_t num_pieces = 0;       ///< of the file
  std::vector<global_id> vertex_ids; ///< of the points
  std::vector<global_id> joined_ids; ///< the vertices that the points' vertices are joined to
  std::vector<double> places;        ///< of the points
  std::vector<mesh_values> on_points;
};

/// Reads this rank's shares of cells and points: of P ranks each has one P-th of either.
/// @throws usage_error  the file holds no unstructured grid or a cell without straight sides, or its
///         arrays do not fit together
/// Local.
shares_of_file read_shares(mpi::comm_view over, hdf5_input const& file);

/// Reserves memory for exactly the elements to come; vectors that grow take up to twice as much.
void make_room(element_list& to, std::int64_t num_elements, std::int64_t num_vertices);

} // namespace seam::detail
