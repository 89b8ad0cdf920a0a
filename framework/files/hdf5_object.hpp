/// Owners of HDF5's objects, and its errors as exceptions. This header does not include HDF5's:
/// a hid_t is an int64, a herr_t an int.
#pragma once

#include <cstdint>
#include <mutex>

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

/// Keeps HDF5 from printing its errors while this lives. For calls that all processes make together,
/// in which one waits for the others.
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

/// The turn of a thread that calls HDF5 by itself: HDF5 takes calls of one thread at a time, and
/// endpoints of one process are threads. While this lives no other thread has the turn, and HDF5
/// prints no errors. Never held across a wait for other ranks.
class hdf5_turn {
public:
  hdf5_turn();
  hdf5_turn(hdf5_turn const&) = delete;
  hdf5_turn& operator=(hdf5_turn const&) = delete;
  ~hdf5_turn() = default;

private:
  static std::recursive_mutex& of_process();

  std::scoped_lock<std::recursive_mutex> lock_;
  quiet_hdf5 quiet_;
};

} // namespace seam::detail
