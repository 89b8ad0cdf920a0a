#include <seam/framework/files/hdf5_input.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/hdf5_driver.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace seam::detail {
namespace {

/// Runs `call` and adds the file's name to its errors.
template <class F>
auto naming(std::string const& path, F const& call) {
  try {
    return call();
  } catch (error const& problem) {
    throw usage_error(fmt::format("vtkhdf: cannot read '{}': {}", path, problem.what()));
  }
}

std::int64_t bytes_of(std::string const& path) {
  std::error_code trouble;
  bool const is_directory = std::filesystem::is_directory(path, trouble);
  auto const bytes = is_directory ? 0 : std::filesystem::file_size(path, trouble);
  if (trouble || is_directory)
    throw usage_error(fmt::format("input: cannot read '{}': {}", path,
                                  is_directory ? "this is a directory" : trouble.message()));
  return static_cast<std::int64_t>(bytes);
}

/// Opens the file for reading, without a lock, which some file systems do not have.
hdf5_object open_input(std::string const& path) {
  hdf5_object const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  read_within_file(access);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "H5Fopen"};
}

/// Opens an attribute of `group` that has_attribute() has found.
hdf5_object open_attribute(hid_t file, std::string const& group, char const* name) {
  return {H5Aopen_by_name(file, group.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
          "H5Aopen_by_name"};
}

bool has_attribute(hid_t file, std::string const& group, char const* name) {
  return H5Aexists_by_name(file, group.c_str(), name, H5P_DEFAULT) > 0;
}

std::int64_t num_elements_of(hid_t attribute) {
  hdf5_object const space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  return H5Sget_simple_extent_npoints(space);
}

/// Reads a text of variable length, as h5py writes it.
std::string read_variable_text(hid_t attribute, hid_t type) {
  char* text = nullptr;
  check_hdf5(H5Aread(attribute, type, &text), "H5Aread");
  std::string copy = text != nullptr ? text : "";
  H5free_memory(text);
  return copy;
}

/// The count of numbers in a chunk, which HDF5 reads as a whole; 0 if the array has no chunks.
double numbers_in_chunk(hid_t dataset) {
  hdf5_object const properties(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
  if (H5Pget_layout(properties) != H5D_CHUNKED)
    return 0;
  std::array<hsize_t, 2> extents{1, 1};
  check_hdf5(H5Pget_chunk(properties, 2, extents.data()), "H5Pget_chunk");
  return static_cast<double>(extents[0]) * static_cast<double>(extents[1]);
}

} // namespace

hdf5_input::hdf5_input(std::string path) : path_(std::move(path)), bytes_(bytes_of(path_)) {
  hdf5_turn const turn;
  file_.emplace(naming(path_, [&] { return open_input(path_); }));
}

hdf5_input::~hdf5_input() {
  hdf5_turn const turn;
  file_.reset();
}

void hdf5_input::refuse(std::string_view why) const {
  throw usage_error(fmt::format("vtkhdf: '{}': {}", path_, why));
}

bool hdf5_input::has(std::string const& name) const {
  return H5Lexists(*this, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> hdf5_input::members(std::string const& group) const {
  std::vector<std::string> names;
  if (!has(group))
    return names;
  auto const note = [](hid_t, char const* name, H5L_info_t const*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  naming(path_, [&] {
    check_hdf5(H5Literate_by_name(*this, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note,
                                  &names, H5P_DEFAULT),
               "H5Literate_by_name");
  });
  return names;
}

std::string hdf5_input::text(std::string const& group, char const* attribute) const {
  constexpr std::size_t longest = 65536; // of an attribute
  if (!has_attribute(*this, group, attribute))
    return "";
  return naming(path_, [&] {
    auto const found = open_attribute(*this, group, attribute);
    hdf5_object const type(H5Aget_type(found), H5Tclose, "H5Aget_type");
    if (H5Tget_class(type) != H5T_STRING || num_elements_of(found) != 1)
      return std::string();
    if (H5Tis_variable_str(type) > 0)
      return read_variable_text(found, type);
    if (H5Tget_size(type) > longest)
      return std::string();
    std::string text(H5Tget_size(type), '\0');
    check_hdf5(H5Aread(found, type, text.data()), "H5Aread");
    return text.substr(0, text.find('\0'));
  });
}

std::pair<int, int> hdf5_input::version(std::string const& group) const {
  if (!has_attribute(*this, group, "Version"))
    return {};
  return naming(path_, [&] {
    auto const found = open_attribute(*this, group, "Version");
    hdf5_object const type(H5Aget_type(found), H5Tclose, "H5Aget_type");
    std::array<int, 2> numbers{};
    if (H5Tget_class(type) == H5T_INTEGER && num_elements_of(found) == 2)
      check_hdf5(H5Aread(found, H5T_NATIVE_INT, numbers.data()), "H5Aread");
    return std::pair(numbers[0], numbers[1]);
  });
}

hdf5_array::hdf5_array(hdf5_input const& from, std::string name)
    : from_(from), name_(std::move(name)), dataset_(naming(from.path(), [&] {
        if (!from.has("/VTKHDF/" + name_))
          throw error(fmt::format("there is no array {}", name_));
        return open_dataset(from, "/VTKHDF/" + name_);
      })) {
  naming(from.path(), [&] {
    hdf5_object const space(H5Dget_space(dataset_), H5Sclose, "H5Dget_space");
    hdf5_object const type(H5Dget_type(dataset_), H5Tclose, "H5Dget_type");
    auto const kind = H5Tget_class(type);
    int const num_axes = H5Sget_simple_extent_ndims(space);
    is_numeric_ = (kind == H5T_INTEGER || kind == H5T_FLOAT) && H5Tget_size(type) <= 16 &&
                  num_axes >= 1 && num_axes <= 2;
    if (!is_numeric_)
      return;
    std::array<hsize_t, 2> extents{};
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    for (int a = 0; a < num_axes; ++a)
      extents_.push_back(static_cast<std::int64_t>(extents[a]));
  });
  if (!is_numeric_)
    return;
  check_size();
  check_chunks();
}

/// Bounds the count of numbers in the array or in a chunk of it. HDF5 reads any count of numbers
/// that were never written; of these as many are allowed as the file has bytes.
std::int64_t hdf5_array::most_numbers(double wanted) const {
  constexpr std::int64_t densest = 1032; // deflate packs at most so many numbers in a byte
  if (wanted <= static_cast<double>(from_.bytes()))
    return from_.bytes(); // needs no visit of all chunks
  auto const stored = static_cast<std::int64_t>(H5Dget_storage_size(dataset_));
  return std::max(from_.bytes(), densest * std::clamp<std::int64_t>(stored, 0, from_.bytes()));
}

void hdf5_array::check_size() const {
  double const wanted = static_cast<double>(num_rows()) * static_cast<double>(width());
  std::int64_t const most = most_numbers(wanted);
  if (num_rows() < 0 || width() < 1 || wanted > static_cast<double>(most))
    throw usage_error(fmt::format("vtkhdf: '{}': {} has {} x {} numbers (expected at most {} in a "
                                  "file of {} bytes)",
                                  from_.path(), name_, num_rows(), width(), most, from_.bytes()));
}

void hdf5_array::check_chunks() const {
  constexpr std::int64_t small = 1 << 20; // fits into the memory of every machine
  double const wanted = naming(from_.path(), [&] { return numbers_in_chunk(dataset_); });
  std::int64_t const most = std::max(most_numbers(wanted), small);
  if (wanted > static_cast<double>(most))
    throw usage_error(fmt::format("vtkhdf: '{}': {} is divided into chunks of {:.0f} numbers "
                                  "(expected at most {} in a file of {} bytes)",
                                  from_.path(), name_, wanted, most, from_.bytes()));
}

void hdf5_array::require(std::int64_t num_rows, std::int64_t width) const {
  if (!is_numeric_ || this->num_rows() != num_rows || this->width() != width)
    from_.refuse(is_numeric_ ? fmt::format("{} has {} x {} numbers (expected {} x {})", name_,
                                           this->num_rows(), this->width(), num_rows, width)
                             : fmt::format("{} is no array of numbers (expected {} x {})", name_,
                                           num_rows, width));
}

void hdf5_array::refuse_at(std::int64_t element, std::string_view why) const {
  from_.refuse(fmt::format("{}[{}]: {}", name_, element, why));
}

void hdf5_array::read(number_format const& format, std::int64_t first, std::int64_t count,
                      void* into) const {
  if (count == 0)
    return;
  naming(from_.path(), [&] {
    std::array const starts{first, std::int64_t{0}}, counts{count, width()};
    auto const axes = extents_.size();
    auto const selected = std::span(counts).first(axes);
    check_hdf5(H5Dread(dataset_, type_of(format), make_space(selected),
                       make_selection(extents_, std::span(starts).first(axes), selected),
                       H5P_DEFAULT, into),
               "H5Dread");
  });
}

} // namespace seam::detail
