/// MPI's datatypes of C++ types, found by the compiler.
#pragma once

#include <mpi.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace seam::mpi {

/// The predefined MPI datatype of T. Does not compile for types without one.
template <class T>
MPI_Datatype datatype_of() {
  using type = std::remove_cv_t<T>;
  if constexpr (std::same_as<type, bool>)
    return MPI_CXX_BOOL;
  else if constexpr (std::same_as<type, char>)
    return MPI_CHAR;
  else if constexpr (std::same_as<type, std::byte>)
    return MPI_BYTE;
  else if constexpr (std::same_as<type, float>)
    return MPI_FLOAT;
  else if constexpr (std::same_as<type, double>)
    return MPI_DOUBLE;
  else if constexpr (std::same_as<type, long double>)
    return MPI_LONG_DOUBLE;
  else if constexpr (std::same_as<type, std::complex<float>>)
    return MPI_CXX_FLOAT_COMPLEX;
  else if constexpr (std::same_as<type, std::complex<double>>)
    return MPI_CXX_DOUBLE_COMPLEX;
  else if constexpr (std::same_as<type, std::complex<long double>>)
    return MPI_CXX_LONG_DOUBLE_COMPLEX;
  else {
    static_assert(std::integral<type> && sizeof(type) <= 8, "MPI has no datatype for this type");
    constexpr bool is_signed = std::signed_integral<type>;
    if constexpr (sizeof(type) == 1)
      return is_signed ? MPI_INT8_T : MPI_UINT8_T;
    else if constexpr (sizeof(type) == 2)
      return is_signed ? MPI_INT16_T : MPI_UINT16_T;
    else if constexpr (sizeof(type) == 4)
      return is_signed ? MPI_INT32_T : MPI_UINT32_T;
    else
      return is_signed ? MPI_INT64_T : MPI_UINT64_T;
  }
}

} // namespace seam::mpi
