/// Owners of HDF5's objects, and its errors as exceptions. This header does not include HDF5's:
/// a hid_t is an int64, a herr_t an int.
#pragma once

#include <cstdint>

namespace seam::detail {

/// Owns one HDF5 object and closes it.
class hdf5_object {
public:
  using id_type = std::int64_t;
  using closer_type = int (*)(id_type);

  /// Takes ownership of the object that `call` returned.
  /// @throws error  `call` returned a failure
  hdf5_object(id_type id, closer_type closer, char const* call);
  hdf5_object(hdf5_object&& other) noexcept;
  hdf5_object(hdf5_object const&) = delete;
  hdf5_object& operator=(hdf5_object const&) = delete;
  ~hdf5_object();

  operator id_type() const noexcept { return id_; }

  /// Closes the object now.
  /// @throws error  HDF5 fails in work that it had put off until then
  void close(char const* call);

private:
  id_type id_;
  closer_type closer_;
};

/// Throws an error that names `call` and HDF5's innermost cause if `status` is a failure.
void check_hdf5(int status, char const* call);

/// Keeps HDF5 from printing its errors while this lives.
class quiet_hdf5 {
public:
  quiet_hdf5();
  ~quiet_hdf5();
  quiet_hdf5(quiet_hdf5 const&) = delete;
  quiet_hdf5& operator=(quiet_hdf5 const&) = delete;

private:
  int (*printer_)(std::int64_t, void*) = nullptr;
  void* data_ = nullptr;
};

} // namespace seam::detail
