#include <seam/framework/vtkhdf.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/framework/detail/hdf5_object.hpp>
#include <seam/framework/output_file.hpp>
#include <seam/framework/vtk_image.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace seam {
namespace detail {
namespace {

/// Numbers for three axes, slowest first.
using sizes = std::array<hsize_t, 3>;

sizes as_sizes(std::array<std::int64_t, 3> const& given) {
  return {static_cast<hsize_t>(given[0]), static_cast<hsize_t>(given[1]),
          static_cast<hsize_t>(given[2])};
}

template <int D>
sizes sizes_of(cell_index<D> const& given, std::int64_t missing) {
  return as_sizes(on_three_axes(given, missing));
}

hid_t type_of(number_format const& format) {
  if (format.is_floating)
    return format.bytes == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  switch (format.bytes) {
  case 1: return format.is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
  case 2: return format.is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
  case 4: return format.is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
  default: return format.is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  }
}

hdf5_object make_space(sizes const& extents) {
  return {H5Screate_simple(3, extents.data(), nullptr), H5Sclose, "H5Screate_simple"};
}

/// The box of `count` elements that begins at `start` in an array of `extents`.
hdf5_object make_selection(sizes const& extents, sizes const& start, sizes const& count) {
  hdf5_object space = make_space(extents);
  check_hdf5(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                 nullptr),
             "H5Sselect_hyperslab");
  return space;
}

/// Gives `group` an attribute: as many values of `type` as `space` has elements.
void put_attribute(hid_t group, char const* name, hid_t type, hid_t space, void const* values) {
  hdf5_object const attribute(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                              H5Aclose, "H5Acreate2");
  check_hdf5(H5Awrite(attribute, type, values), "H5Awrite");
}

template <std::size_t N>
void put_list(hid_t group, char const* name, hid_t type, void const* values) {
  hsize_t const length = N;
  hdf5_object const space(H5Screate_simple(1, &length, nullptr), H5Sclose, "H5Screate_simple");
  put_attribute(group, name, type, space, values);
}

void put_list(hid_t group, char const* name, std::array<double, 3> const& slowest_first) {
  auto const [z, y, x] = slowest_first;
  put_list<3>(group, name, H5T_NATIVE_DOUBLE, std::array{x, y, z}.data());
}

void put_type(hid_t group, std::string_view type) {
  hdf5_object const text(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  check_hdf5(H5Tset_size(text, type.size()), "H5Tset_size");
  check_hdf5(H5Tset_strpad(text, H5T_STR_NULLPAD), "H5Tset_strpad");
  hdf5_object const space(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(group, "Type", text, space, type.data());
}

/// The last point's number on an axis, as VTK counts.
int last_of(std::int64_t points) { return mpi::narrow(points - 1, "vtkhdf: extent of the grid"); }

void describe(hid_t group, vtk_image const& image) {
  std::array const version{1, 0};
  std::array const extent{0, last_of(image.points[2]), 0, last_of(image.points[1]),
                          0, last_of(image.points[0])};
  std::array const direction{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  put_list<2>(group, "Version", H5T_NATIVE_INT, version.data());
  put_type(group, "ImageData");
  put_list<6>(group, "WholeExtent", H5T_NATIVE_INT, extent.data());
  put_list(group, "Origin", image.origin);
  put_list(group, "Spacing", image.spacing);
  put_list<9>(group, "Direction", H5T_NATIVE_DOUBLE, direction.data());
}

/// The file is new and nobody else's, so it needs no lock, which some file systems do not have.
hdf5_object unlocked_access() {
  hdf5_object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  return access;
}

hdf5_object create_group(hid_t parent, char const* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

/// A place in the file for every number, none of them written. No time is noted, so that equal
/// fields make equal files.
hdf5_object create_dataset(hid_t group, std::string const& name, hid_t type, sizes const& extents) {
  hdf5_object const space = make_space(extents);
  hdf5_object const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time");
  check_hdf5(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  return {H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
          H5Dclose, "H5Dcreate2"};
}

/// Creates the file with all but the fields' values. Local.
template <int D>
void lay_out(std::string const& path, vtk_image const& image,
             std::span<written_field<D> const> fields) {
  hdf5_object file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, unlocked_access()), H5Fclose,
                   "H5Fcreate");
  {
    hdf5_object const top = create_group(file, "VTKHDF");
    describe(top, image);
    hdf5_object const points = create_group(top, "PointData");
    for (auto const& field : fields)
      create_dataset(points, field.name, type_of(field.format), as_sizes(image.points));
  }
  file.close("H5Fclose");
}

hdf5_object open_on_all(mpi::comm_view over, std::string const& path) {
  hdf5_object const access = unlocked_access();
  check_hdf5(H5Pset_fapl_mpio(access, over.native(), MPI_INFO_NULL), "H5Pset_fapl_mpio");
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, "H5Fopen"};
}

hdf5_object collective_transfer() {
  hdf5_object transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  return transfer;
}

/// Writes this rank's cells to where their points begin, moved by `shift`. Collective.
template <int D>
void write_block(hid_t dataset, vtk_image const& image, written_field<D> const& field,
                 sizes const& shift) {
  box<D> const owned = field.grid.owned();
  ghost_width<D> const& ghosts = field.grid.ghosts();
  box<D> const stored = grow(owned, ghosts.below, ghosts.above);
  sizes const count = sizes_of<D>(owned.extents(), 1);
  sizes start = sizes_of<D>(owned.lo, 0);
  for (std::size_t a = 0; a < 3; ++a)
    start[a] += shift[a];
  auto const memory =
      make_selection(sizes_of<D>(stored.extents(), 1), sizes_of<D>(ghosts.below, 0), count);
  auto const file = make_selection(as_sizes(image.points), start, count);
  check_hdf5(H5Dwrite(dataset, type_of(field.format), memory, file, collective_transfer(),
                      field.data),
             "H5Dwrite");
}

/// Writes the values of `fields`. All steps are agreed upon, so that no rank goes on alone into the
/// next. Collective.
template <int D>
void write_values(mpi::comm_view over, std::string const& path, vtk_image const& image,
                  std::span<written_field<D> const> fields) {
  auto file = collectively(over, [&] { return open_on_all(over, path); });
  for (auto const& field : fields) {
    auto const dataset = collectively(over, [&] {
      return hdf5_object(H5Dopen2(file, ("/VTKHDF/PointData/" + field.name).c_str(), H5P_DEFAULT),
                         H5Dclose, "H5Dopen2");
    });
    for_each_cell(box<3>{{}, image.copies}, [&](cell_index<3> const& shift) {
      collectively(over, [&] { write_block(dataset, image, field, as_sizes(shift)); });
    });
  }
  collectively(over, [&] { file.close("H5Fclose"); });
}

template <int D>
std::int64_t bytes_of(vtk_image const& image, std::span<written_field<D> const> fields) {
  std::int64_t bytes = 0;
  for (auto const& field : fields)
    bytes += image.num_points() * static_cast<std::int64_t>(field.format.bytes);
  return bytes;
}

/// Rank 0 makes sure that there is room and lays the file out alone, so that what can go wrong does
/// so before anything is written together: HDF5 hangs if one rank of several cannot write its share
/// of the description, and crashes later if a file cannot be closed.
template <int D>
void write_file(output_file const& file, mpi::comm_view over, vtk_image const& image,
                std::span<written_field<D> const> fields) {
  quiet_hdf5 const quiet;
  std::int64_t const values = bytes_of<D>(image, fields);
  std::int64_t const description = 4096 + 1024 * std::ssize(fields);
  file.reserve(values + description);
  collectively(over, [&] {
    if (over.rank() == 0)
      lay_out(file.temporary(), image, fields);
  });
  file.reserve(values);
  write_values(over, file.temporary(), image, fields);
}

bool is_plain(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view others = "0123456789-.";
  return !name.empty() && letters.find(name.front()) != letters.npos &&
         std::ranges::all_of(name, [&](char c) {
           return letters.find(c) != letters.npos || others.find(c) != others.npos;
         });
}

template <int D>
void check_fields(Grid<D> const& grid, std::span<written_field<D> const> fields) {
  std::vector<std::string_view> names;
  for (auto const& field : fields) {
    if (!(field.grid == grid))
      refuse(fmt::format("vtkhdf: field '{}' belongs to another grid", field.name));
    if (!is_plain(field.name))
      refuse(fmt::format("vtkhdf: the name of field '{}' (expected letters, digits, '_', '-' and "
                         "'.', a letter or '_' first)",
                         field.name));
    if (std::ranges::find(names, field.name) != names.end())
      refuse(fmt::format("vtkhdf: two fields are named '{}'", field.name));
    names.push_back(field.name);
  }
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

template void write_vtkhdf(Grid<1> const&, std::span<written_field<1> const>, std::string const&);
template void write_vtkhdf(Grid<2> const&, std::span<written_field<2> const>, std::string const&);
template void write_vtkhdf(Grid<3> const&, std::span<written_field<3> const>, std::string const&);

} // namespace detail
} // namespace seam
