#include <seam/framework/files/hdf5_file.hpp>

#include <seam/exchange/communicator/endpoints.hpp>

#include <hdf5.h>

#include <array>
#include <cstdlib>

namespace seam::detail {
namespace {

using sizes = std::array<hsize_t, 3>;

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

void put_text(hdf5_id group, char const* name, std::string_view text) {
  hdf5_object const type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  check_hdf5(H5Tset_size(type, text.size()), "H5Tset_size");
  check_hdf5(H5Tset_strpad(type, H5T_STR_NULLPAD), "H5Tset_strpad");
  hdf5_object const space(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  put_attribute(group, name, type, space, text.data());
}

hdf5_object create_group(hdf5_id parent, char const* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
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

hdf5_object open_dataset(hdf5_id parent, std::string const& path) {
  return {H5Dopen2(parent, path.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2"};
}

hdf5_object create_file(std::string const& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, unlocked_access()), H5Fclose,
          "H5Fcreate"};
}

hdf5_object open_on_all(mpi::comm_view over, std::string const& path) {
  require_processes(over, "HDF5");
  leave_out_shared_pointers();
  hdf5_object const access = unlocked_access();
  check_hdf5(H5Pset_fapl_mpio(access, over.native(), MPI_INFO_NULL), "H5Pset_fapl_mpio");
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, "H5Fopen"};
}

hdf5_object open_alone(std::string const& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, unlocked_access()), H5Fclose, "H5Fopen"};
}

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
