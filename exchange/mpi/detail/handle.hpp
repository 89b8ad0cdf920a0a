/// Ownership of MPI objects: one move-only RAII template for every kind of handle.
///
///     mpi::comm copy;                                                     // frees it in the end
///     mpi::check(MPI_Comm_dup(world, copy.receive()), "MPI_Comm_dup");
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>

#include <utility>

namespace seam::mpi {

/// Owns one MPI object and frees it. `Kind` gives the native type, its null value and free call.
///
/// The destructor is silent, and does nothing once MPI has ended; `close()` frees and reports.
/// Threads: one thread at a time per object.
template <class Kind>
class handle {
public:
  using native_type = typename Kind::native_type;

  handle() = default;
  handle(handle&& other) noexcept : native_(other.release()) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(native_, other.native_);
    return *this;
  }
  ~handle() {
    if (is_open() && is_running())
      Kind::free(&native_);
  }

  /// Takes over `native`: the handle frees it from now on.
  static handle from_native(native_type native) noexcept { return handle(native); }

  /// The MPI object, still owned by this handle.
  native_type native() const noexcept { return native_; }

  /// True if there is an object to free.
  bool is_open() const noexcept { return native_ != Kind::null(); }

  /// Gives the MPI object away: the caller frees it.
  native_type release() noexcept { return std::exchange(native_, Kind::null()); }

  /// Frees the object now. Collective where the free call is. Throws mpi_error.
  void close() {
    if (is_open())
      check(Kind::free(&native_), Kind::free_call);
    native_ = Kind::null();
  }

  /// The address to which MPI calls write a new object. The handle must be empty.
  native_type* receive() noexcept { return &native_; }

private:
  explicit handle(native_type native) noexcept : native_(native) {}

  native_type native_ = Kind::null();
};

/// Communicators, but for those that are kept_for_ever().
struct comm_kind {
  using native_type = MPI_Comm;
  static constexpr char const* free_call = "MPI_Comm_free";
  static native_type null() noexcept { return MPI_COMM_NULL; }
  static int free(native_type* object) noexcept;
};
using comm = handle<comm_kind>;

/// Persistent point-to-point requests.
struct request_kind {
  using native_type = MPI_Request;
  static constexpr char const* free_call = "MPI_Request_free";
  static native_type null() noexcept { return MPI_REQUEST_NULL; }
  static int free(native_type* object) noexcept { return MPI_Request_free(object); }
};
using request = handle<request_kind>;

/// Process groups.
struct group_kind {
  using native_type = MPI_Group;
  static constexpr char const* free_call = "MPI_Group_free";
  static native_type null() noexcept { return MPI_GROUP_NULL; }
  static int free(native_type* object) noexcept { return MPI_Group_free(object); }
};
using group = handle<group_kind>;

/// Derived datatypes.
struct datatype_kind {
  using native_type = MPI_Datatype;
  static constexpr char const* free_call = "MPI_Type_free";
  static native_type null() noexcept { return MPI_DATATYPE_NULL; }
  static int free(native_type* object) noexcept { return MPI_Type_free(object); }
};
using datatype = handle<datatype_kind>;

/// Hints.
struct info_kind {
  using native_type = MPI_Info;
  static constexpr char const* free_call = "MPI_Info_free";
  static native_type null() noexcept { return MPI_INFO_NULL; }
  static int free(native_type* object) noexcept { return MPI_Info_free(object); }
};
using hints = handle<info_kind>;

/// Windows of one-sided communication.
struct win_kind {
  using native_type = MPI_Win;
  static constexpr char const* free_call = "MPI_Win_free";
  static native_type null() noexcept { return MPI_WIN_NULL; }
  static int free(native_type* object) noexcept { return MPI_Win_free(object); }
};
using win = handle<win_kind>;

} // namespace seam::mpi
