#include <seam/framework/files/vtkhdf.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/field_names.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/vtk_image.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <array>

namespace seam {
using namespace detail;

namespace detail {
namespace {

template <int D>
std::array<std::int64_t, 3> sizes_of(cell_index<D> const& given, std::int64_t missing) {
  return on_three_axes(given, missing);
}

void put_list(hid_t group, char const* name, std::array<double, 3> const& slowest_first) {
  auto const [z, y, x] = slowest_first;
  put_numbers(group, name, std::array{x, y, z});
}

/// The index of the last point on an axis.
int last_of(std::int64_t points) { return mpi::narrow(points - 1, "vtkhdf: extent of the grid"); }

void describe(hid_t group, vtk_image const& image) {
  std::array const version{1, 0};
  std::array const extent{0, last_of(image.points[2]), 0, last_of(image.points[1]),
                          0, last_of(image.points[0])};
  std::array const direction{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  put_numbers(group, "Version", version);
  put_text(group, "Type", "ImageData");
  put_numbers(group, "WholeExtent", extent);
  put_list(group, "Origin", image.origin);
  put_list(group, "Spacing", image.spacing);
  put_numbers(group, "Direction", direction);
}

/// Creates the file without the fields' values.
/// Local.
template <int D>
void lay_out(std::string const& path, vtk_image const& image,
             std::span<written_field<D> const> fields) {
  hdf5_object file = create_file(path);
  {
    hdf5_object const top = create_group(file, "VTKHDF");
    describe(top, image);
    hdf5_object const points = create_group(top, "PointData");
    for (auto const& field : fields)
      create_dataset(points, field.name, field.format, image.points);
  }
  file.close("H5Fclose");
}

/// Writes this rank's cells to their points, moved by `shift`.
/// Collective: over the grid.
template <int D>
void write_block(hid_t dataset, vtk_image const& image, written_field<D> const& field,
                 cell_index<3> const& shift, hid_t transfer) {
  box<D> const owned = field.grid.owned();
  auto const count = sizes_of<D>(owned.extents(), 1);
  auto start = sizes_of<D>(owned.lo, 0);
  for (int a = 0; a < 3; ++a)
    start[a] += shift[a];
  auto const memory = make_selection(sizes_of<D>(field.stored.extents(), 1),
                                     sizes_of<D>(field.ghosts.below, 0), count);
  auto const file = make_selection(image.points, start, count);
  check_hdf5(H5Dwrite(dataset, type_of(field.format), memory, file, transfer, field.data),
             "H5Dwrite");
}

/// Writes the values of `fields` where ranks are endpoints, one rank after the other, since HDF5
/// takes calls of one thread at a time, and knows processes alone. Collective: over `over`.
template <int D>
void write_values_in_turn(mpi::comm_view over, std::string const& path, vtk_image const& image,
                          std::span<written_field<D> const> fields) {
  auto const write_own = [&] {
    auto file = open_alone(path);
    for (auto const& field : fields) {
      auto const dataset = open_dataset(file, "/VTKHDF/PointData/" + field.name);
      for_each_cell(box<3>{{}, image.copies}, [&](cell_index<3> const& shift) {
        write_block(dataset, image, field, shift, H5P_DEFAULT);
      });
    }
    file.close("H5Fclose");
  };
  for (int rank = 0; rank < over.size(); ++rank)
    collectively(over, [&] {
      if (rank == over.rank())
        write_own();
    });
}

/// Writes the values of `fields`. After each step all ranks agree, so that none begins the next
/// alone.
/// Collective: over `over`.
template <int D>
void write_values(mpi::comm_view over, std::string const& path, vtk_image const& image,
                  std::span<written_field<D> const> fields) {
  if (is_of_endpoints(over))
    return write_values_in_turn(over, path, image, fields);
  auto file = collectively(over, [&] { return open_on_all(over, path); });
  for (auto const& field : fields) {
    auto const dataset =
        collectively(over, [&] { return open_dataset(file, "/VTKHDF/PointData/" + field.name); });
    for_each_cell(box<3>{{}, image.copies}, [&](cell_index<3> const& shift) {
      collectively(over, [&] { write_block(dataset, image, field, shift, collective_transfer()); });
    });
  }
  collectively(over, [&] { file.close("H5Fclose"); });
}

template <int D>
std::int64_t bytes_of(vtk_image const& image, std::span<written_field<D> const> fields) {
  std::int64_t bytes = 0;
  for (auto const& field : fields)
    bytes += image.num_points() * field.format.bytes;
  return bytes;
}

std::int64_t bytes_of_description(std::int64_t num_fields) { return 4096 + 1024 * num_fields; }

/// Writes the file. Rank 0 alone allocates space and creates the data sets, so that errors occur
/// before the ranks write together: HDF5 hangs if one of several ranks cannot write its share of
/// the metadata, and crashes later if a file cannot be closed.
template <int D>
void write_file(output_file const& file, mpi::comm_view over, vtk_image const& image,
                std::span<written_field<D> const> fields) {
  quiet_hdf5 const quiet;
  std::int64_t const values = bytes_of<D>(image, fields);
  file.reserve(values + bytes_of_description(std::ssize(fields)));
  collectively(over, [&] {
    if (over.rank() == 0)
      lay_out(file.temporary(), image, fields);
  });
  file.reserve(values);
  write_values(over, file.temporary(), image, fields);
}

template <int D>
void check_fields(Grid<D> const& grid, std::span<written_field<D> const> fields) {
  std::vector<std::string> names;
  for (auto const& field : fields) {
    if (!(field.grid == grid))
      refuse(fmt::format("vtkhdf: field '{}' belongs to another grid", field.name));
    names.push_back(field.name);
  }
  check_field_names(names);
}

template <int D>
std::string in_words(std::span<written_field<D> const> fields) {
  std::string words;
  for (auto const& field : fields)
    words += fmt::format("{}{}{}{} ", field.name, field.format.is_floating ? ":float" : ":int",
                         field.format.is_signed ? "" : "-unsigned", 8 * field.format.bytes);
  return words;
}

} // namespace

template <int D>
void write_vtkhdf(Grid<D> const& grid, std::span<written_field<D> const> fields,
                  std::string const& path) {
  call_scope const here("write", *grid.base().calls());
  mpi::comm_view const over = grid.base().context();
  require_same(over, "vtkhdf: fields", in_words<D>(fields));
  collectively(over, [&] { check_fields<D>(grid, fields); });
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
void require_room(Grid<D> const& grid, std::span<written_field<D> const> fields,
                  std::string const& path) {
  detail::call_scope const here("require_room");
  if (!path.empty())
    output_file(grid.base().context(), path)
        .reserve(bytes_of<D>(image_of(grid), fields) + bytes_of_description(std::ssize(fields)));
}

template void require_room(Grid<1> const&, std::span<written_field<1> const>, std::string const&);
template void require_room(Grid<2> const&, std::span<written_field<2> const>, std::string const&);
template void require_room(Grid<3> const&, std::span<written_field<3> const>, std::string const&);

template void write_vtkhdf(Grid<1> const&, std::span<written_field<1> const>, std::string const&);
template void write_vtkhdf(Grid<2> const&, std::span<written_field<2> const>, std::string const&);
template void write_vtkhdf(Grid<3> const&, std::span<written_field<3> const>, std::string const&);

} // namespace detail
} // namespace seam
