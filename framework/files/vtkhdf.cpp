#include <seam/framework/files/vtkhdf.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/image_values.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fmt/format.h>

#include <span>

namespace seam {
using namespace detail;

namespace detail {
namespace {

/// Creates the file without the fields' values.
/// Local.
template <int D>
void lay_out(std::string const& path, vtk_image const& image,
             std::span<written_field<D> const> fields) {
  hdf5_turn const turn;
  hdf5_object file = create_file(path);
  {
    hdf5_object const top = create_group(file, "VTKHDF");
    describe_image(top, image, 1);
    hdf5_object const points = create_group(top, "PointData");
    for (auto const& field : fields)
      create_dataset(points, field.name, field.format, array_extents(image));
  }
  file.close("H5Fclose");
}

/// Writes the file. Rank 0 alone allocates space and creates the data sets, so that errors occur
/// before the ranks write together: HDF5 hangs if one of several ranks cannot write its share of
/// the metadata, and crashes later if a file cannot be closed.
template <int D>
void write_file(output_file const& file, mpi::comm_view over, vtk_image const& image,
                std::span<written_field<D> const> fields) {
  std::int64_t const values = value_bytes<D>(image, fields);
  file.reserve(values + bytes_of_description(std::ssize(fields)));
  collectively(over, [&] {
    if (over.rank() == 0)
      lay_out(file.temporary(), image, fields);
  });
  file.reserve(values);
  write_image_values<D>(over, file.temporary(), image, fields);
}

} // namespace

template <int D>
void append_components(std::vector<written_field<D>>& all, Grid<D> const& grid,
                       field_state const& field, number_format format) {
  int const num_components = field.options.components;
  for (int c = 0; c < num_components; ++c)
    all.push_back({num_components == 1 ? field.name : fmt::format("{}.{}", field.name, c), grid,
                   field.buffers.front().get() + c * field.bytes_of_component(),
                   unpadded<D>(field.width), unpadded<D>(field.local()), format});
}

template <int D>
void write_vtkhdf(Grid<D> const& grid, std::vector<written_field<D>> const& fields,
                  std::string const& path) {
  call_scope const here("write", *grid.base().calls());
  mpi::comm_view const over = grid.base().context();
  require_same(over, "vtkhdf: fields", in_words<D>(fields));
  collectively(over, [&] { check_written_fields<D>(grid, fields); });
  output_file file(over, path);
  try {
    write_file<D>(file, over, image_of(grid), fields);
  } catch (std::exception const& problem) {
    throw usage_error(
        fmt::format("vtkhdf: cannot write '{}': {} [{}]", path, problem.what(), where()), true);
  }
  file.commit();
}

template <int D>
void require_room(Grid<D> const& grid, std::vector<written_field<D>> const& fields,
                  std::string const& path) {
  detail::call_scope const here("require_room");
  if (!path.empty())
    output_file(grid.base().context(), path)
        .reserve(value_bytes<D>(image_of(grid), fields) + bytes_of_description(std::ssize(fields)));
}

#define SEAM_INSTANTIATE(D)                                                                        \
  template void append_components(std::vector<written_field<D>>&, Grid<D> const&,                  \
                                  field_state const&, number_format);                              \
  template void write_vtkhdf(Grid<D> const&, std::vector<written_field<D>> const&,                 \
                             std::string const&);                                                  \
  template void require_room(Grid<D> const&, std::vector<written_field<D>> const&,                 \
                             std::string const&)
SEAM_INSTANTIATE(1);
SEAM_INSTANTIATE(2);
SEAM_INSTANTIATE(3);
#undef SEAM_INSTANTIATE

} // namespace detail
} // namespace seam
