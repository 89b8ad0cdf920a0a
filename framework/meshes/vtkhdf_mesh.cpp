#include <seam/framework/meshes/vtkhdf_mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/meshes/mesh_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace seam::detail {
namespace {

/// Makes all arrays of the file.
/// Collective: over the mesh.
std::vector<file_array> arrays_of(Mesh const& mesh, piece const& own,
                                  std::span<written_mesh_field const> fields) {
  auto all = arrays_of_mesh(mesh, own);
  std::ranges::move(arrays_of_fields(mesh, own, fields), std::back_inserter(all));
  return all;
}

/// Creates the file without the arrays' values.
/// Local.
void lay_out(Mesh const& mesh, std::string const& path, std::span<file_array const> arrays) {
  hdf5_turn const turn;
  hdf5_object file = create_file(path);
  {
    hdf5_object const top = create_group(file, "VTKHDF");
    describe_mesh(top, 1, mesh);
    for (file_array const& array : arrays)
      create_dataset(top, array.name, array.format, array.box(array.rows.total));
  }
  file.close("H5Fclose");
}

/// Writes the file. As for grids, rank 0 alone allocates space and creates the data sets, so that
/// errors occur before the ranks write together.
void write_file(output_file const& file, Mesh const& mesh, std::span<file_array const> arrays) {
  mpi::comm_view const over = mesh.base().context();
  file.reserve(bytes_of(arrays));
  collectively(over, [&] {
    if (over.rank() == 0)
      lay_out(mesh, file.temporary(), arrays);
  });
  write_mesh_arrays(over, file.temporary(), arrays);
}

} // namespace

void write_vtkhdf(Mesh const& mesh, std::span<written_mesh_field const> fields,
                  std::string const& path) {
  call_scope const here("write", *mesh.base().calls());
  mpi::comm_view const over = mesh.base().context();
  require_same(over, "vtkhdf: fields", in_words(fields));
  collectively(over, [&] { check_written_fields(mesh, fields); });
  output_file file(over, path);
  try {
    piece const own = make_piece(mesh);
    write_file(file, mesh, arrays_of(mesh, own, fields));
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
