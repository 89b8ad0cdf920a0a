#include <seam/framework/meshes/mesh_series.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/image_values.hpp>
#include <seam/framework/files/steps_file.hpp>
#include <seam/framework/meshes/mesh_arrays.hpp>

#include <utility>

namespace seam::detail {
namespace {

/// The name of the array that says where the steps of an array begin: "CellDataOffsets/u".
std::string offsets_of(std::string const& name) {
  auto const slash = name.find('/');
  return name.substr(0, slash) + "Offsets" + name.substr(slash);
}

/// Appends that all steps have the parts, places and cells of the first.
void add_numbers_of_mesh(mpi::comm_view over, std::span<file_array const> constants,
                         std::vector<step_numbers>& to) {
  to.push_back({.name = "PartOffsets"});
  to.push_back({.name = "NumberOfParts", .first = over.size()});
  to.push_back({.name = "PointOffsets"});
  to.push_back({.name = "CellOffsets", .width = 1});
  to.push_back({.name = "ConnectivityIdOffsets", .width = 1});
  for (file_array const& array : constants)
    if (array.name.find('/') != array.name.npos)
      to.push_back({.name = offsets_of(array.name)});
}

/// The arrays of a mesh itself and the memory that they show.
struct mesh_constants {
  piece own;
  std::vector<file_array> arrays;

  explicit mesh_constants(Mesh const& mesh) : own(make_piece(mesh)) {
    arrays = arrays_of_mesh(mesh, own);
  }
};

steps_layout layout_of(Mesh const& mesh, std::shared_ptr<mesh_constants const> const& constants,
                       std::span<written_mesh_field const> fields) {
  mpi::comm_view const over = mesh.base().context();
  steps_layout layout;
  for (file_array const& array : arrays_of_fields(mesh, constants->own, fields)) {
    layout.arrays.push_back({array.name, array.format, array.box(array.rows.total), false});
    layout.numbers.push_back({.name = offsets_of(array.name), .stride = array.rows.total});
  }
  add_numbers_of_mesh(over, constants->arrays, layout.numbers);
  layout.constant_bytes = bytes_of(constants->arrays) + bytes_of_description(std::ssize(fields));
  layout.describe = [constants, mesh](hdf5_id group) {
    describe_mesh(group, 2, mesh);
    for (file_array const& array : constants->arrays)
      create_dataset(group, array.name, array.format, array.box(array.rows.total));
  };
  layout.write_constants = [over, constants](std::string const& path) {
    write_mesh_arrays(over, path, constants->arrays);
  };
  return layout;
}

} // namespace

std::shared_ptr<series_file> make_series(Mesh const& mesh, written_mesh_fields fields,
                                         std::string const& path, series_options const& options) {
  call_scope const here("vtkhdf_series", *mesh.base().calls());
  mpi::comm_view const over = mesh.base().context();
  check_series_options(over, options);
  if (options.continue_at)
    throw usage_error("vtkhdf: a series of a mesh that continues an older file (expected a new "
                      "one: another run may divide the mesh otherwise)",
                      true);
  auto const first = fields();
  require_same(over, "vtkhdf: fields", in_words(first));
  collectively(over, [&] { check_written_fields(mesh, first); });
  auto const constants = std::make_shared<mesh_constants const>(mesh);
  auto write = [mesh, over, constants, fields = std::move(fields)](
                   std::string const& place, std::int64_t num_places, std::int64_t step) {
    auto const arrays = arrays_of_fields(mesh, constants->own, fields());
    write_mesh_arrays(over, place, arrays, step, num_places);
  };
  return std::shared_ptr<series_file>(
      new series_file{steps_file(over, path, layout_of(mesh, constants, first),
                                 options.expected_steps, std::nullopt),
                      std::move(write)});
}

} // namespace seam::detail
