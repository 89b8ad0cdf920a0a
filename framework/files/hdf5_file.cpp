#include <seam/framework/files/hdf5_file.hpp>

#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace seam::detail {
namespace {

using sizes = std::array<hsize_t, 4>;

sizes as_sizes(hdf5_extents given) {
  sizes all{};
  for (int a = 0; a < std::ssize(given); ++a)
    all[a] = static_cast<hsize_t>(given[a]);
  return all;
}

/// Properties of access without a lock: no other program uses the file.
hdf5_object unlocked_access() {
  hdf5_object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  return access;
}

/// Keeps Open MPI from preparing shared file pointers, which HDF5 does not use: it would write the
/// file's path into 256 bytes, however long it is, and end the program.
void leave_out_shared_pointers() {
  constexpr int keep_the_users = 0;
  static int const done = ::setenv("OMPI_MCA_sharedfp", "^lockedfile,sm", keep_the_users);
  static_cast<void>(done);
}

void put_attribute(hid_t group, char const* name, hid_t type, hid_t space, void const* values) {
  hdf5_object const attribute(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                              H5Aclose, "H5Acreate2");
  check_hdf5(H5Awrite(attribute, type, values), "H5Awrite");
}

} // namespace

hdf5_id type_of(number_format const& format) {
  if (format.is_floating)
    return format.bytes == std::int64_t{sizeof(float)} ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  switch (format.bytes) {
  case 1: return format.is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
  case 2: return format.is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
  case 4: return format.is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
  default: return format.is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  }
}

hdf5_object make_space(hdf5_extents extents) {
  return {H5Screate_simple(static_cast<int>(extents.size()), as_sizes(extents).data(), nullptr),
          H5Sclose, "H5Screate_simple"};
}

hdf5_object make_selection(hdf5_extents extents, hdf5_extents start, hdf5_extents count) {
  hdf5_object space = make_space(extents);
  check_hdf5(H5Sselect_hyperslab(space, H5S_SELECT_SET, as_sizes(start).data(), nullptr,
                                 as_sizes(count).data(), nullptr),
             "H5Sselect_hyperslab");
  return space;
}

void put_numbers(hdf5_id group, char const* name, std::span<int const> values) {
  std::array const length{std::ssize(values)};
  put_attribute(group, name, H5T_NATIVE_INT, make_space(length), values.data());
}

void put_numbers(hdf5_id group, char const* name, std::span<double const> values) {
  std::array const length{std::ssize(values)};
  put_attribute(group, name, H5T_NATIVE_DOUBLE, make_space(length), values.data());
}

void put_number(hdf5_id group, char const* name, std::int64_t value) {
  hdf5_object const space(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(group, name, H5T_NATIVE_INT64, space, &value);
}

void put_text(hdf5_id group, char const* name, std::string_view text) {
  hdf5_object const type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  check_hdf5(H5Tset_size(type, text.size()), "H5Tset_size");
  check_hdf5(H5Tset_strpad(type, H5T_STR_NULLPAD), "H5Tset_strpad");
  hdf5_object const space(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(group, name, type, space, text.data());
}

namespace {

/// Properties with which objects have no times, so that files of the same values have the same bytes.
/// HDF5 2 gives times to groups, too.
hdf5_object without_times(hdf5_id kind) {
  hdf5_object creation(H5Pcreate(kind), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  return creation;
}

} // namespace

hdf5_object create_group(hdf5_id parent, char const* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, without_times(H5P_GROUP_CREATE), H5P_DEFAULT),
          H5Gclose, "H5Gcreate2"};
}

hdf5_object create_compact_group(hdf5_id parent, char const* name) {
  constexpr unsigned most_links = 64, length_of_name = 24;
  hdf5_object const creation = without_times(H5P_GROUP_CREATE);
  check_hdf5(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED),
             "H5Pset_link_creation_order");
  check_hdf5(H5Pset_link_phase_change(creation, most_links, 0), "H5Pset_link_phase_change");
  check_hdf5(H5Pset_est_link_info(creation, most_links / 4, length_of_name),
             "H5Pset_est_link_info");
  return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

hdf5_object create_unlinked_group(hdf5_id file) {
  return {H5Gcreate_anon(file, without_times(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose,
          "H5Gcreate_anon"};
}

void link_member(hdf5_id from, hdf5_id to, std::string const& name) {
  check_hdf5(H5Lcreate_hard(from, name.c_str(), to, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
             "H5Lcreate_hard");
}

void replace_link(hdf5_id group, char const* name, hdf5_id object) {
  check_hdf5(H5Ldelete(group, name, H5P_DEFAULT), "H5Ldelete");
  check_hdf5(H5Olink(object, group, name, H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
}

hdf5_object open_group(hdf5_id parent, char const* name) {
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "H5Gopen2"};
}

bool has_member(hdf5_id group, std::string const& name) {
  htri_t const found = H5Lexists(group, name.c_str(), H5P_DEFAULT);
  check_hdf5(found, "H5Lexists");
  return found > 0;
}

hdf5_object create_dataset(hdf5_id group, std::string const& name, number_format const& format,
                           hdf5_extents extents) {
  hdf5_object const space = make_space(extents);
  hdf5_object const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time");
  check_hdf5(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  return {
      H5Dcreate2(group, name.c_str(), type_of(format), space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, "H5Dcreate2"};
}

void put_list(hdf5_id group, std::string const& name, std::span<std::int64_t const> values,
              std::int64_t width) {
  std::array const all{std::ssize(values) / std::max<std::int64_t>(1, width), width};
  auto const extents = std::span(all).first(width == 0 ? 1 : 2);
  auto const dataset = create_dataset(group, name, format_of<std::int64_t>(), extents);
  check_hdf5(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "H5Dwrite");
}

void put_list(hdf5_id group, std::string const& name, std::span<double const> values) {
  std::array const extents{std::ssize(values)};
  auto const dataset = create_dataset(group, name, format_of<double>(), extents);
  check_hdf5(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "H5Dwrite");
}

std::vector<double> read_list(hdf5_id dataset) {
  std::vector<double> values(extents_of(dataset).at(0));
  check_hdf5(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "H5Dread");
  return values;
}

std::vector<std::int64_t> extents_of(hdf5_id dataset) {
  hdf5_object const space(H5Dget_space(dataset), H5Sclose, "H5Dget_space");
  std::array<hsize_t, H5S_MAX_RANK> all{};
  int const axes = H5Sget_simple_extent_dims(space, all.data(), nullptr);
  check_hdf5(axes, "H5Sget_simple_extent_dims");
  return {all.begin(), all.begin() + axes};
}

bool has_format(hdf5_id dataset, number_format const& format) {
  hdf5_object const type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  return H5Tequal(type, type_of(format)) > 0;
}

std::int64_t place_in_file(hdf5_id dataset) {
  haddr_t const place = H5Dget_offset(dataset);
  check_hdf5(place == HADDR_UNDEF ? -1 : 0, "H5Dget_offset");
  return static_cast<std::int64_t>(place);
}

hdf5_object open_dataset(hdf5_id parent, std::string const& path) {
  return {H5Dopen2(parent, path.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2"};
}

hdf5_object create_file(std::string const& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, without_times(H5P_FILE_CREATE), unlocked_access()),
          H5Fclose, "H5Fcreate"};
}

hdf5_object open_on_all(mpi::comm_view over, std::string const& path) {
  require_processes(over, "HDF5");
  leave_out_shared_pointers();
  hdf5_object const access = unlocked_access();
  check_hdf5(H5Pset_fapl_mpio(access, over.native(), mpi::written_together().native()),
             "H5Pset_fapl_mpio");
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, "H5Fopen"};
}

hdf5_object open_alone(std::string const& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, unlocked_access()), H5Fclose, "H5Fopen"};
}

void flush_file(hdf5_id file) { check_hdf5(H5Fflush(file, H5F_SCOPE_LOCAL), "H5Fflush"); }

void write_box(hdf5_id dataset, number_format const& format, hdf5_extents extents,
               hdf5_extents start, hdf5_extents count, void const* values) {
  check_hdf5(H5Dwrite(dataset, type_of(format), make_space(count),
                      make_selection(extents, start, count), collective_transfer(), values),
             "H5Dwrite");
}

hdf5_object collective_transfer() {
  hdf5_object transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  return transfer;
}

} // namespace seam::detail
