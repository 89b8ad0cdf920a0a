// Reading of checkpoints' descriptions.
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/checkpoint/array_pieces.hpp>
#include <seam/framework/checkpoint/checkpoint_file.hpp>
#include <seam/framework/files/hdf5_driver.hpp>
#include <seam/framework/files/hdf5_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <mpi.h>

#include <filesystem>
#include <map>

namespace seam::detail {
namespace {

hdf5_object input_access() {
  hdf5_object access = checkpoint_access();
  read_within_file(access);
  return access;
}

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
        file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, input_access()), H5Fclose, "H5Fopen") {}

  bool is_checkpoint() const {
    return has_attribute(file_, "Format") && text(file_, "Format") == checkpoint_format;
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

  /// Refuses a list of arrays outside of the group's header, where no checksum covers it: older
  /// versions of seam wrote longer lists so.
  void require_links_in_header(char const* group) const {
    H5G_info_t facts{};
    check_hdf5(H5Gget_info_by_name(file_, group, &facts, H5P_DEFAULT), "H5Gget_info_by_name");
    if (facts.storage_type != H5G_STORAGE_TYPE_COMPACT)
      refuse(MPI_ERR_IO,
             fmt::format("checkpoint: '{}' was written by an older seam: its list of {} "
                         "arrays has no checksum (expected a list that has one)",
                         path_, facts.nlinks));
  }

  std::vector<std::string> names() const {
    for (char const* const group : {"state", "checksums"})
      require_links_in_header(group);
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
    made.found.bytes = made.bytes;
    if (made.bytes > 0)
      made.found.offset = static_cast<std::int64_t>(H5Dget_offset(values));
    auto const checksums = open_dataset(file_, "/checksums/" + name);
    hdf5_object const space(H5Dget_space(checksums), H5Sclose, "H5Dget_space");
    std::int64_t const count = num_pieces(made.bytes);
    bytes_of(checksums, "checksums of " + name);
    if (H5Sget_simple_extent_npoints(space) != count)
      throw error(fmt::format("{} has checksums of another length", name));
    made.found.checksums.resize(count);
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
  if (std::int64_t const version = file.number("Version"); version > checkpoint_version)
    refuse_file(path, fmt::format("has format {} (expected at most {}: a newer seam reads it)",
                                  version, checkpoint_version));
  if (std::string const order = file.text("ByteOrder"); order != byte_order())
    refuse_file(path,
                fmt::format("has {}-endian numbers (expected {}-endian)", order, byte_order()));
  if (std::string const writer = file.text("Program"); !program.empty() && writer != program)
    refuse_file(path, fmt::format("is of {} (expected one of {})", writer, program));
}

void check_seal(described_file const& file, std::string const& path,
                std::map<std::string, described_array> const& arrays) {
  checkpoint_seal expected({file.number("Number"), file.text("Program")});
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
  bool const fits = wanted.make_room || found->second.bytes == wanted.bytes();
  if (found->second.identity != wanted.identity || !fits)
    refuse_file(path, fmt::format("has in '{}' {} (expected {})", wanted.name,
                                  found->second.identity, wanted.identity));
  return found->second.found;
}

} // namespace

std::vector<found_array> find_arrays(std::string const& path, std::string const& program,
                                     std::span<stored_array const> arrays) {
  hdf5_turn const turn;
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
