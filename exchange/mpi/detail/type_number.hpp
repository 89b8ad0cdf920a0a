/// Numbers by which datatypes are recognized.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace seam::mpi {

/// number_of_type() of types that are not the usual ones.
std::uintptr_t number_of_other_type(MPI_Datatype type);

/// The number of a handle, which is a pointer in one MPI library and a number in another.
template <class Handle>
std::uintptr_t number_of_handle(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<std::uintptr_t>(handle);
  else
    return static_cast<std::uintptr_t>(handle);
}

/// A number that no other datatype has or will have; handles of freed types are reused by MPI.
/// Local.
inline std::uintptr_t number_of_type(MPI_Datatype type) {
  for (MPI_Datatype usual : {MPI_DOUBLE, MPI_FLOAT, MPI_INT, MPI_BYTE, MPI_DATATYPE_NULL})
    if (type == usual) // most are, and a call of MPI takes as long as a short message
      return number_of_handle(type);
  return number_of_other_type(type);
}

} // namespace seam::mpi
