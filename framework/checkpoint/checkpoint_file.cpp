#include <seam/framework/checkpoint/checkpoint_file.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/framework/checkpoint/array_pieces.hpp>
#include <seam/framework/files/hdf5_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <mpi.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <map>

namespace seam::detail {
namespace {

constexpr std::string_view format_name = "seam checkpoint";
constexpr std::int64_t newest_version = 1;
constexpr std::int64_t page = 4096; ///< arrays begin on pages, so that no two ranks write into one

char const* byte_order() { return std::endian::native == std::endian::little ? "little" : "big"; }

hdf5_object newest_access() {
  hdf5_object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  // Descriptions of this version have checksums of their own.
  check_hdf5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST),
             "H5Pset_libver_bounds");
  check_hdf5(H5Pset_alignment(access, page, page), "H5Pset_alignment");
  return access;
}

/// Properties of objects without times, so that equal states make equal files.
hdf5_object without_times(hid_t kind) {
  hdf5_object creation(H5Pcreate(kind), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  return creation;
}

hdf5_object create_timeless_group(hid_t parent, char const* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, without_times(H5P_GROUP_CREATE), H5P_DEFAULT),
          H5Gclose, "H5Gcreate2"};
}

hdf5_object scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"}; }

void put_number(hid_t object, char const* name, std::int64_t number) {
  auto const space = scalar_space();
  hdf5_object const attribute(H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT,
                                         H5P_DEFAULT),
                              H5Aclose, "H5Acreate2");
  check_hdf5(H5Awrite(attribute, H5T_NATIVE_INT64, &number), "H5Awrite");
}

hdf5_object stored_type_of(element_format const& element) {
  if (element.is_number)
    return {H5Tcopy(type_of(element.number)), H5Tclose, "H5Tcopy"};
  hdf5_object type(H5Tcreate(H5T_OPAQUE, static_cast<std::size_t>(element.bytes)), H5Tclose,
                   "H5Tcreate");
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

/// The CRC-32 of a description and of checksums, in the order of the arrays' names.
class seal {
public:
  explicit seal(checkpoint_title const& title) {
    add(fmt::format("{} {} {} {}\n", title.number, title.program, byte_order(), newest_version));
  }
  void add_array(std::string const& name, std::string const& identity, std::int64_t bytes,
                 std::span<std::uint32_t const> checksums) {
    add(fmt::format("{} {} {}\n", name, identity, bytes));
    for (std::uint32_t const checksum : checksums)
      add(fmt::format("{:08x}", checksum));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(crc_); }

private:
  void add(std::string_view text) {
    crc_ = ::crc32_z(crc_, reinterpret_cast<Bytef const*>(text.data()), text.size());
  }
  uLong crc_ = ::crc32_z(0, nullptr, 0);
};

/// An array of a file, as its description has it.
struct described_array {
  std::string identity;
  std::int64_t bytes = 0;
  found_array found;
};

/// A file that is open for reading. Errors of HDF5 mean that it is damaged.
class described_file {
public:
  explicit described_file(std::string const& path)
      : path_(path),
        bytes_(static_cast<std::int64_t>(std::filesystem::file_size(path))),
        file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, newest_access()), H5Fclose, "H5Fopen") {}

  bool is_checkpoint() const {
    return has_attribute(file_, "Format") && text(file_, "Format") == format_name;
  }
  std::int64_t number(char const* name) const {
    hdf5_object const attribute(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
    std::int64_t value = 0;
    require_length(attribute, sizeof(value));
    check_hdf5(H5Aread(attribute, H5T_NATIVE_INT64, &value), "H5Aread");
    return value;
  }
  std::string text(char const* name) const { return text(file_, name); }

  std::map<std::string, described_array> arrays() const {
    std::map<std::string, described_array> all;
    for (std::string const& name : names())
      all.emplace(name, described(name));
    return all;
  }

private:
  static bool has_attribute(hid_t object, char const* name) {
    htri_t const found = H5Aexists(object, name);
    check_hdf5(found, "H5Aexists");
    return found > 0;
  }

  /// Refuses an attribute or array that needs more memory than the file can account for.
  static void require_length(hid_t attribute, std::size_t bytes) {
    hdf5_object const space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
    hdf5_object const type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Tget_class(type) != H5T_INTEGER ||
        H5Tget_size(type) != bytes)
      throw error("an attribute has another type");
  }

  static std::string text(hid_t object, char const* name) {
    constexpr std::size_t longest = 65536;
    hdf5_object const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
    hdf5_object const type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
    hdf5_object const space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Tget_size(type) > longest || H5Sget_simple_extent_npoints(space) != 1)
      throw error(fmt::format("attribute {} is no text", name));
    std::string value(H5Tget_size(type), '\0');
    check_hdf5(H5Aread(attribute, type, value.data()), "H5Aread");
    return value.substr(0, value.find('\0'));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    auto const note = [](hid_t, char const* name, H5L_info_t const*, void* into) -> herr_t {
      static_cast<std::vector<std::string>*>(into)->emplace_back(name);
      return 0;
    };
    check_hdf5(H5Literate_by_name(file_, "state", H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &all,
                                  H5P_DEFAULT),
               "H5Literate_by_name");
    return all;
  }

  /// The bytes of an array, which has to lie in the file as a whole.
  std::int64_t bytes_of(hid_t dataset, std::string const& name) const {
    auto const bytes = static_cast<std::int64_t>(H5Dget_storage_size(dataset));
    auto const offset = static_cast<std::int64_t>(H5Dget_offset(dataset));
    if (bytes > 0 && (offset < 0 || bytes > bytes_ || offset > bytes_ - bytes))
      throw error(fmt::format("{} does not lie in the file", name));
    return bytes;
  }

  described_array described(std::string const& name) const {
    auto const values = open_dataset(file_, "/state/" + name);
    described_array made{text(values, "Identity"), bytes_of(values, name), {}};
    if (made.bytes > 0)
      made.found.offset = static_cast<std::int64_t>(H5Dget_offset(values));
    auto const checksums = open_dataset(file_, "/checksums/" + name);
    hdf5_object const space(H5Dget_space(checksums), H5Sclose, "H5Dget_space");
    std::int64_t const count = num_pieces(made.bytes);
    bytes_of(checksums, "checksums of " + name);
    if (H5Sget_simple_extent_npoints(space) != count)
      throw error(fmt::format("{} has checksums of another length", name));
    made.found.checksums.resize(static_cast<std::size_t>(count));
    check_hdf5(H5Dread(checksums, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       made.found.checksums.data()),
               "H5Dread");
    return made;
  }

  std::string path_;
  std::int64_t bytes_;
  hdf5_object file_;
};

[[noreturn]] void refuse_file(std::string const& path, std::string const& why) {
  refuse(fmt::format("checkpoint: '{}' {}", path, why));
}

[[noreturn]] void refuse_damaged(std::string const& path, std::string const& why) {
  refuse(MPI_ERR_IO, fmt::format("checkpoint: '{}' is damaged: {}", path, why));
}

/// Runs `read`, whose errors mean damage.
template <class Read>
auto reading(std::string const& path, Read const& read) {
  try {
    return read();
  } catch (usage_error const&) {
    throw;
  } catch (std::exception const& problem) {
    refuse_damaged(path, problem.what());
  }
}

void check_title(described_file const& file, std::string const& path, std::string const& program) {
  if (!file.is_checkpoint())
    refuse_file(path, "is no checkpoint of seam");
  if (std::int64_t const version = file.number("Version"); version > newest_version)
    refuse_file(path, fmt::format("has format {} (expected at most {}: a newer seam reads it)",
                                  version, newest_version));
  if (std::string const order = file.text("ByteOrder"); order != byte_order())
    refuse_file(path,
                fmt::format("has {}-endian numbers (expected {}-endian)", order, byte_order()));
  if (std::string const writer = file.text("Program"); !program.empty() && writer != program)
    refuse_file(path, fmt::format("is of {} (expected one of {})", writer, program));
}

void check_seal(described_file const& file, std::string const& path,
                std::map<std::string, described_array> const& arrays) {
  seal expected({file.number("Number"), file.text("Program")});
  for (auto const& [name, array] : arrays)
    expected.add_array(name, array.identity, array.bytes, array.found.checksums);
  if (file.number("PieceBytes") != piece_bytes || file.number("Seal") != expected.value())
    refuse_damaged(path, "its description has another checksum");
}

found_array const& find_array(std::map<std::string, described_array> const& arrays,
                              std::string const& path, stored_array const& wanted) {
  auto const found = arrays.find(wanted.name);
  if (found == arrays.end()) {
    std::vector<std::string> names;
    for (auto const& [name, array] : arrays)
      names.push_back(name);
    refuse_file(path, fmt::format("has no '{}' (expected {}; found '{}')", wanted.name,
                                  wanted.identity, fmt::join(names, "', '")));
  }
  if (found->second.identity != wanted.identity || found->second.bytes != wanted.bytes())
    refuse_file(path, fmt::format("has in '{}' {} (expected {})", wanted.name,
                                  found->second.identity, wanted.identity));
  return found->second.found;
}

} // namespace

std::int64_t bytes_of_description(std::span<stored_array const> arrays) {
  return (16 + 4 * std::ssize(arrays)) * page;
}

std::int64_t bytes_of_checkpoint(std::span<stored_array const> arrays) {
  std::int64_t bytes = bytes_of_description(arrays);
  for (stored_array const& array : arrays)
    bytes += array.bytes() + 4 * num_pieces(array.bytes());
  return bytes;
}

std::vector<std::int64_t> lay_out_checkpoint(std::string const& path, checkpoint_title const& title,
                                             std::span<stored_array const> arrays) {
  std::vector<std::int64_t> offsets;
  hdf5_object file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, without_times(H5P_FILE_CREATE),
                             newest_access()),
                   H5Fclose, "H5Fcreate");
  {
    put_text(file, "Format", format_name);
    put_number(file, "Version", newest_version);
    put_text(file, "ByteOrder", byte_order());
    put_text(file, "Program", title.program);
    put_number(file, "PieceBytes", piece_bytes);
    put_number(file, "Number", title.number);
    put_number(file, "Seal", 0);
    hdf5_object const state = create_timeless_group(file, "state");
    hdf5_object const sums = create_timeless_group(file, "checksums");
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
  std::map<std::string, std::size_t> by_name;
  for (std::size_t a = 0; a < arrays.size(); ++a)
    by_name.emplace(arrays[a].name, a);
  seal whole(title);
  for (auto const& [name, a] : by_name)
    whole.add_array(name, arrays[a].identity, arrays[a].bytes(), checksums[a]);
  hdf5_object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, newest_access()), H5Fclose, "H5Fopen");
  {
    for (std::size_t a = 0; a < arrays.size(); ++a)
      check_hdf5(H5Dwrite(open_dataset(file, "/checksums/" + arrays[a].name), H5T_NATIVE_UINT32,
                          H5S_ALL, H5S_ALL, H5P_DEFAULT, checksums[a].data()),
                 "H5Dwrite");
    hdf5_object const attribute(H5Aopen(file, "Seal", H5P_DEFAULT), H5Aclose, "H5Aopen");
    std::int64_t const value = whole.value();
    check_hdf5(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "H5Awrite");
  }
  file.close("H5Fclose");
}

std::vector<found_array> find_arrays(std::string const& path, std::string const& program,
                                     std::span<stored_array const> arrays) {
  quiet_hdf5 const quiet;
  return reading(path, [&] {
    described_file const file(path);
    check_title(file, path, program);
    auto const described = file.arrays();
    check_seal(file, path, described);
    std::vector<found_array> found;
    for (stored_array const& wanted : arrays)
      found.push_back(find_array(described, path, wanted));
    return found;
  });
}

} // namespace seam::detail
