#include <seam/exchange/mpi/ordered_type.hpp>

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/names.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

namespace seam::mpi {
namespace {

/// The operations for least and largest values of one unsigned type.
struct unsigned_order {
  MPI_Op least = MPI_MIN, largest = MPI_MAX;
};

template <class T>
void keep_least(void* from, void* into, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<T*>(into)[i] = std::min(static_cast<T*>(from)[i], static_cast<T*>(into)[i]);
}

template <class T>
void keep_largest(void* from, void* into, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<T*>(into)[i] = std::max(static_cast<T*>(from)[i], static_cast<T*>(into)[i]);
}

/// MPI's operations, if the library takes the largest value of T for larger than 1.
template <class T>
unsigned_order order_of(MPI_Datatype type) {
  T const small = 1;
  T found = std::numeric_limits<T>::max();
  check(MPI_Reduce_local(&small, &found, 1, type, MPI_MAX), "MPI_Reduce_local");
  unsigned_order own;
  if (found == small) {
    constexpr int commutes = 1;
    check(MPI_Op_create(keep_least<T>, commutes, &own.least), "MPI_Op_create");
    check(MPI_Op_create(keep_largest<T>, commutes, &own.largest), "MPI_Op_create");
  }
  return own;
}

template <class T>
MPI_Op ordered_op(MPI_Op op, MPI_Datatype type) {
  static unsigned_order const order = order_of<T>(type);
  return op == MPI_MIN ? order.least : order.largest;
}

} // namespace

MPI_Datatype ordered_type(MPI_Op op, MPI_Datatype type) {
  if ((op != MPI_MIN && op != MPI_MAX) || type != MPI_UNSIGNED_LONG)
    return type;
  return sizeof(unsigned long) == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

MPI_Op ordered_op(MPI_Op op, MPI_Datatype type) {
  if (op != MPI_MIN && op != MPI_MAX)
    return op;
  auto const ordered = ordered_type(op, type);
  if (ordered == MPI_UNSIGNED_CHAR || ordered == MPI_UINT8_T)
    return ordered_op<std::uint8_t>(op, MPI_UINT8_T);
  if (ordered == MPI_UNSIGNED_SHORT || ordered == MPI_UINT16_T)
    return ordered_op<std::uint16_t>(op, MPI_UINT16_T);
  if (ordered == MPI_UNSIGNED || ordered == MPI_UINT32_T)
    return ordered_op<std::uint32_t>(op, MPI_UINT32_T);
  if (ordered == MPI_UNSIGNED_LONG_LONG || ordered == MPI_UINT64_T)
    return ordered_op<std::uint64_t>(op, MPI_UINT64_T);
  return op;
}

namespace {

/// True for logical operations on floating-point values, which the standard does not define. MPICH
/// 4.0 takes them for defined, and ends the program at MPI_LAND and MPI_LOR of them.
bool is_logical_of_floating(MPI_Op op, MPI_Datatype type) {
  std::array const logical{MPI_LAND, MPI_LOR, MPI_LXOR};
  std::array const floating{MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION};
  return std::ranges::count(logical, op) > 0 && std::ranges::count(floating, type) > 0;
}

} // namespace

bool is_defined_for(MPI_Op op, MPI_Datatype type) {
  if (op == MPI_OP_NULL || type == MPI_DATATYPE_NULL || is_logical_of_floating(op, type))
    return false;
  if (!is_named(op))
    return true;
  MPI_Aint first = 0, extent = 0;
  check(MPI_Type_get_extent(type, &first, &extent), "MPI_Type_get_extent");
  std::vector<std::max_align_t> from(static_cast<std::size_t>(extent) / sizeof(std::max_align_t) +
                                     1),
      into(from.size());
  // The call has no communicator: which error handler gets an error depends on the MPI library.
  static std::mutex handlers;
  std::scoped_lock const alone(handlers);
  returned_errors const of_world(MPI_COMM_WORLD), of_self(MPI_COMM_SELF);
  return MPI_Reduce_local(from.data(), into.data(), 1, type, op) == MPI_SUCCESS;
}

} // namespace seam::mpi
