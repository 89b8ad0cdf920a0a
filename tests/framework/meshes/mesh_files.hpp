/// Changes in VTKHDF files, by one process alone.
#pragma once

#include <support/catch.hpp>

#include <hdf5.h>

#include <array>
#include <string>
#include <vector>

namespace seam::testing {

/// A file that is open to be changed. Names are below the group VTKHDF.
class hdf5_editor {
public:
  explicit hdf5_editor(std::string const& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
    REQUIRE(file_ >= 0);
  }
  hdf5_editor(hdf5_editor const&) = delete;
  hdf5_editor& operator=(hdf5_editor const&) = delete;
  ~hdf5_editor() { H5Fclose(file_); }

  bool has(std::string const& name) const {
    return H5Lexists(file_, in_file(name).c_str(), H5P_DEFAULT) > 0;
  }

  /// Number `at` of an array, row by row.
  double get(std::string const& name, std::int64_t at) const { return read(name)[at]; }
  void set(std::string const& name, std::int64_t at, double value) {
    auto values = read(name);
    values[at] = value;
    hid_t const array = open(name);
    CHECK(H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(array);
  }

  /// How many numbers an array has, written or not.
  std::int64_t size(std::string const& name) const {
    hid_t const array = open(name), space = H5Dget_space(array);
    std::int64_t const count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(array);
    return count;
  }

  void remove(std::string const& name) {
    CHECK(H5Ldelete(file_, in_file(name).c_str(), H5P_DEFAULT) >= 0);
  }

  /// Puts an array of one number less in its place.
  void shorten(std::string const& name) { replace(name, {static_cast<hsize_t>(size(name)) - 1}); }

  /// Puts an array in its place that says to be huge but is not in the file.
  void make_huge(std::string const& name) { replace(name, {1'000'000'000'000, 3}); }

  /// The same of an array of which a small file could say that it were packed in it.
  void make_large(std::string const& name) { replace(name, {1'000'000, 3}); }

  /// Puts an array in its place of which HDF5 would hold 2 GiB at once.
  void make_huge_chunk(std::string const& name) {
    hid_t const divided = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t const numbers = 1 << 28;
    CHECK(H5Pset_chunk(divided, 1, &numbers) >= 0);
    replace(name, {static_cast<hsize_t>(size(name))}, divided);
    H5Pclose(divided);
  }

  void remove_type() {
    hid_t const group = H5Gopen2(file_, "VTKHDF", H5P_DEFAULT);
    CHECK(H5Adelete(group, "Type") >= 0);
    H5Gclose(group);
  }

  /// @param is_variable  its length is no part of its type
  void set_type(std::string const& type, bool is_variable = false) {
    remove_type();
    hid_t const group = H5Gopen2(file_, "VTKHDF", H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, is_variable ? H5T_VARIABLE : type.size());
    hid_t const space = H5Screate(H5S_SCALAR);
    hid_t const made = H5Acreate2(group, "Type", text, space, H5P_DEFAULT, H5P_DEFAULT);
    char const* const begin = type.c_str();
    CHECK(H5Awrite(made, text, is_variable ? static_cast<void const*>(&begin) : begin) >= 0);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(text);
    H5Gclose(group);
  }

private:
  static std::string in_file(std::string const& name) { return "/VTKHDF/" + name; }

  hid_t open(std::string const& name) const {
    hid_t const array = H5Dopen2(file_, in_file(name).c_str(), H5P_DEFAULT);
    REQUIRE(array >= 0);
    return array;
  }

  std::vector<double> read(std::string const& name) const {
    hid_t const array = open(name), space = H5Dget_space(array);
    std::vector<double> values(H5Sget_simple_extent_npoints(space));
    CHECK(H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Sclose(space);
    H5Dclose(array);
    return values;
  }

  void replace(std::string const& name, std::vector<hsize_t> const& extents,
               hid_t creation = H5P_DEFAULT) {
    remove(name);
    std::vector<hsize_t> const most(extents.size(), H5S_UNLIMITED);
    hid_t const space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(),
                                         creation == H5P_DEFAULT ? nullptr : most.data());
    hid_t const made = H5Dcreate2(file_, in_file(name).c_str(), H5T_NATIVE_DOUBLE, space,
                                  H5P_DEFAULT, creation, H5P_DEFAULT);
    CHECK(made >= 0);
    H5Dclose(made);
    H5Sclose(space);
  }

  hid_t file_;
};

} // namespace seam::testing
