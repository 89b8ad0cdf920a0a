#include <seam/framework/checkpoint/checkpoint_file.hpp>

#include <seam/framework/checkpoint/array_pieces.hpp>
#include <seam/framework/files/hdf5_file.hpp>

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include <bit>
#include <map>

namespace seam::detail {
namespace {

/// Properties of objects without times, so that equal states make equal files.
hdf5_object without_times(hid_t kind) {
  hdf5_object creation(H5Pcreate(kind), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  return creation;
}

/// Creates a group for any number of arrays. Its links lie in its header, which has a checksum; HDF5
/// stores many links elsewhere unless told otherwise, and ends the process where such a place is
/// damaged.
hdf5_object create_list_of_arrays(hid_t parent, char const* name) {
  constexpr unsigned most_links = 65535;
  hdf5_object const creation = without_times(H5P_GROUP_CREATE);
  check_hdf5(H5Pset_link_phase_change(creation, most_links, 0), "H5Pset_link_phase_change");
  return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

hdf5_object scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"}; }

hdf5_object stored_type_of(element_format const& element) {
  if (element.is_number)
    return {H5Tcopy(type_of(element.number)), H5Tclose, "H5Tcopy"};
  hdf5_object type(H5Tcreate(H5T_OPAQUE, element.bytes), H5Tclose, "H5Tcreate");
  constexpr std::size_t longest_tag = 255;
  check_hdf5(H5Tset_tag(type, element.name.substr(0, longest_tag).c_str()), "H5Tset_tag");
  return type;
}

hdf5_object create_array(hid_t group, std::string const& name, hid_t type,
                         std::vector<std::int64_t> const& extents) {
  std::vector<hsize_t> const sizes(extents.begin(), extents.end());
  hdf5_object const space =
      extents.empty()
          ? scalar_space()
          : hdf5_object(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                        H5Sclose, "H5Screate_simple");
  hdf5_object const creation = without_times(H5P_DATASET_CREATE);
  check_hdf5(H5Pset_layout(creation, H5D_CONTIGUOUS), "H5Pset_layout");
  check_hdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time");
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  return {H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
          H5Dclose, "H5Dcreate2"};
}

} // namespace

std::int64_t bytes_of_description(std::span<stored_array const> arrays) {
  return (16 + 4 * std::ssize(arrays)) * checkpoint_page;
}

std::int64_t bytes_of_checkpoint(std::span<stored_array const> arrays) {
  std::int64_t bytes = bytes_of_description(arrays);
  for (stored_array const& array : arrays)
    bytes += array.bytes() + 4 * num_pieces(array.bytes());
  return bytes;
}

std::vector<std::int64_t> lay_out_checkpoint(std::string const& path, checkpoint_title const& title,
                                             std::span<stored_array const> arrays) {
  hdf5_turn const turn;
  std::vector<std::int64_t> offsets;
  hdf5_object file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, without_times(H5P_FILE_CREATE),
                             checkpoint_access()),
                   H5Fclose, "H5Fcreate");
  {
    put_text(file, "Format", checkpoint_format);
    put_number(file, "Version", checkpoint_version);
    put_text(file, "ByteOrder", byte_order());
    put_text(file, "Program", title.program);
    put_number(file, "PieceBytes", piece_bytes);
    put_number(file, "Number", title.number);
    put_number(file, "Seal", 0);
    hdf5_object const state = create_list_of_arrays(file, "state");
    hdf5_object const sums = create_list_of_arrays(file, "checksums");
    for (stored_array const& array : arrays) {
      auto const type = stored_type_of(array.element);
      auto const values = create_array(state, array.name, type, array.extents);
      put_text(values, "Identity", array.identity);
      create_array(sums, array.name, H5T_STD_U32LE, {num_pieces(array.bytes())});
      offsets.push_back(static_cast<std::int64_t>(H5Dget_offset(values)));
    }
  }
  file.close("H5Fclose");
  return offsets;
}

void seal_checkpoint(std::string const& path, checkpoint_title const& title,
                     std::span<stored_array const> arrays,
                     std::span<std::vector<std::uint32_t> const> checksums) {
  std::map<std::string, int> by_name;
  for (int a = 0; a < std::ssize(arrays); ++a)
    by_name.emplace(arrays[a].name, a);
  checkpoint_seal whole(title);
  for (auto const& [name, a] : by_name)
    whole.add_array(name, arrays[a].identity, arrays[a].bytes(), checksums[a]);
  hdf5_turn const turn;
  hdf5_object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, checkpoint_access()), H5Fclose, "H5Fopen");
  {
    for (int a = 0; a < std::ssize(arrays); ++a)
      check_hdf5(H5Dwrite(open_dataset(file, "/checksums/" + arrays[a].name), H5T_NATIVE_UINT32,
                          H5S_ALL, H5S_ALL, H5P_DEFAULT, checksums[a].data()),
                 "H5Dwrite");
    hdf5_object const attribute(H5Aopen(file, "Seal", H5P_DEFAULT), H5Aclose, "H5Aopen");
    std::int64_t const value = whole.value();
    check_hdf5(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "H5Awrite");
  }
  file.close("H5Fclose");
}

char const* byte_order() noexcept {
  return std::endian::native == std::endian::little ? "little" : "big";
}

hdf5_object checkpoint_access() {
  hdf5_object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  // Descriptions of this version have checksums of their own.
  check_hdf5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST),
             "H5Pset_libver_bounds");
  check_hdf5(H5Pset_alignment(access, checkpoint_page, checkpoint_page), "H5Pset_alignment");
  return access;
}

checkpoint_seal::checkpoint_seal(checkpoint_title const& title) : crc_(::crc32_z(0, nullptr, 0)) {
  add(fmt::format("{} {} {} {}\n", title.number, title.program, byte_order(), checkpoint_version));
}

void checkpoint_seal::add_array(std::string const& name, std::string const& identity,
                                std::int64_t bytes, std::span<std::uint32_t const> checksums) {
  add(fmt::format("{} {} {}\n", name, identity, bytes));
  for (std::uint32_t const checksum : checksums)
    add(fmt::format("{:08x}", checksum));
}

void checkpoint_seal::add(std::string_view text) {
  crc_ = ::crc32_z(crc_, reinterpret_cast<Bytef const*>(text.data()), text.size());
}

} // namespace seam::detail
