/// Attributes: values that are kept with a communicator of MPI, and end when it is freed.
///
///     using naming = mpi::attribute<CartesianNaming>;
///     naming::keep(comm, std::make_unique<CartesianNaming>(...));
///     if (CartesianNaming const* const found = naming::of(comm)) ...
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <memory>
#include <new>

namespace seam::mpi {

/// Whether the copy of a communicator by MPI_Comm_dup gets a copy of its value.
enum class on_copy { starts_without, copies_value };

/// Values of one type, at most one with each communicator. Threads: one at a time for each.
template <class Value, on_copy How = on_copy::starts_without>
class attribute {
public:
  /// The value that is kept with `native`, or nullptr. Local.
  static Value* of(comm_view native) {
    void* value = nullptr;
    int is_found = 0;
    check(MPI_Comm_get_attr(native.native(), key(), &value, &is_found), "MPI_Comm_get_attr");
    return is_found != 0 ? static_cast<Value*>(value) : nullptr;
  }

  /// Keeps `value` with `native`, in place of an earlier one, which ends. Local.
  static Value& keep(comm_view native, std::unique_ptr<Value> value) {
    check(MPI_Comm_set_attr(native.native(), key(), value.get()), "MPI_Comm_set_attr");
    return *value.release();
  }

private:
  /// The key lives as long as MPI.
  static int key() {
    static int const created = [] {
      int made = MPI_KEYVAL_INVALID;
      auto* const copy = How == on_copy::copies_value ? copy_value : MPI_COMM_NULL_COPY_FN;
      check(MPI_Comm_create_keyval(copy, end_value, &made, nullptr), "MPI_Comm_create_keyval");
      return made;
    }();
    return created;
  }

  static int end_value(MPI_Comm, int, void* value, void*) {
    delete static_cast<Value*>(value);
    return MPI_SUCCESS;
  }

  static int copy_value(MPI_Comm, int, void*, void* value, void* copy, int* is_copied) {
    if constexpr (How == on_copy::copies_value) {
      Value* const made = new (std::nothrow) Value(*static_cast<Value*>(value));
      *static_cast<Value**>(copy) = made;
      *is_copied = made != nullptr ? 1 : 0;
      return made != nullptr ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    } else {
      *is_copied = 0;
      return MPI_SUCCESS;
    }
  }
};

} // namespace seam::mpi
