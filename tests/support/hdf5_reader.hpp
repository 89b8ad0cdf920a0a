/// Reading VTKHDF files through HDF5's own C interface, by one process alone.
#pragma once

#include <support/catch.hpp>

#include <hdf5.h>

#include <string>
#include <vector>

namespace seam::testing {

/// An open file. Names are below the group VTKHDF.
class hdf5_reader {
public:
  explicit hdf5_reader(std::string const& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    REQUIRE(file_ >= 0);
  }
  hdf5_reader(hdf5_reader const&) = delete;
  hdf5_reader& operator=(hdf5_reader const&) = delete;
  ~hdf5_reader() { H5Fclose(file_); }

  /// The lengths of an array's axes.
  std::vector<hsize_t> extents(std::string const& name) const {
    hid_t const array = open(name), space = H5Dget_space(array);
    std::vector<hsize_t> all(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, all.data(), nullptr);
    H5Sclose(space);
    H5Dclose(array);
    return all;
  }

  std::vector<double> numbers(std::string const& name) const {
    std::size_t count = 1;
    for (hsize_t const length : extents(name))
      count *= length;
    std::vector<double> values(count);
    hid_t const array = open(name);
    CHECK(H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(array);
    return values;
  }

  /// `count` numbers from number `first` on, row by row.
  std::vector<double> numbers(std::string const& name, std::size_t first, std::size_t count) const {
    auto const all = numbers(name);
    REQUIRE(first + count <= all.size());
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  /// The numbers of an attribute of the group `name`; "" is VTKHDF.
  std::vector<double> attribute(std::string const& group, char const* name) const {
    hid_t const found =
        H5Aopen_by_name(file_, ("/VTKHDF/" + group).c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
    REQUIRE(found >= 0);
    hid_t const space = H5Aget_space(found);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    CHECK(H5Aread(found, H5T_NATIVE_DOUBLE, values.data()) >= 0);
    H5Sclose(space);
    H5Aclose(found);
    return values;
  }

private:
  hid_t open(std::string const& name) const {
    hid_t const array = H5Dopen2(file_, ("/VTKHDF/" + name).c_str(), H5P_DEFAULT);
    REQUIRE(array >= 0);
    return array;
  }

  hid_t file_;
};

} // namespace seam::testing
