#include <seam/exchange/mpi/ordered_type.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

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

} // namespace seam::mpi
