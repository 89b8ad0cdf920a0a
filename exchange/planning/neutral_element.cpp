#include <seam/exchange/planning/neutral_element.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace seam::detail {
namespace {

using long_complex = std::complex<long double>;

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

template <class T>
std::vector<std::byte> least() {
  using limits = std::numeric_limits<T>;
  return bytes_of(limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest());
}

template <class T>
std::vector<std::byte> greatest() {
  using limits = std::numeric_limits<T>;
  return bytes_of(limits::has_infinity ? limits::infinity() : limits::max());
}

template <class T>
std::vector<std::byte> neutral_element(MPI_Op op) {
  if (op == MPI_SUM)
    return bytes_of(T(0));
  if (op == MPI_PROD)
    return bytes_of(T(1));
  if constexpr (std::is_arithmetic_v<T>) {
    if (op == MPI_MAX)
      return least<T>();
    if (op == MPI_MIN)
      return greatest<T>();
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == MPI_LAND)
      return bytes_of(T(1));
    if (op == MPI_LOR || op == MPI_LXOR || op == MPI_BOR || op == MPI_BXOR)
      return bytes_of(T(0));
    if (op == MPI_BAND)
      return bytes_of(static_cast<T>(~std::uint64_t{0}));
  }
  return {};
}

/// One of MPI's predefined datatypes and the neutral elements of its C++ type.
struct known_type {
  MPI_Datatype type;
  std::vector<std::byte> (*neutral_element)(MPI_Op);
};

template <class T>
known_type known(MPI_Datatype type) {
  return {type, neutral_element<T>};
}

std::vector<known_type> const& c_types() {
  static std::vector<known_type> const all{known<signed char>(MPI_SIGNED_CHAR),
                                           known<unsigned char>(MPI_UNSIGNED_CHAR),
                                           known<short>(MPI_SHORT),
                                           known<unsigned short>(MPI_UNSIGNED_SHORT),
                                           known<int>(MPI_INT),
                                           known<unsigned>(MPI_UNSIGNED),
                                           known<long>(MPI_LONG),
                                           known<unsigned long>(MPI_UNSIGNED_LONG),
                                           known<long long>(MPI_LONG_LONG),
                                           known<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
                                           known<std::int8_t>(MPI_INT8_T),
                                           known<std::uint8_t>(MPI_UINT8_T),
                                           known<std::int16_t>(MPI_INT16_T),
                                           known<std::uint16_t>(MPI_UINT16_T),
                                           known<std::int32_t>(MPI_INT32_T),
                                           known<std::uint32_t>(MPI_UINT32_T),
                                           known<std::int64_t>(MPI_INT64_T),
                                           known<std::uint64_t>(MPI_UINT64_T),
                                           known<unsigned char>(MPI_BYTE),
                                           known<bool>(MPI_CXX_BOOL),
                                           known<bool>(MPI_C_BOOL),
                                           known<MPI_Aint>(MPI_AINT),
                                           known<MPI_Count>(MPI_COUNT),
                                           known<MPI_Offset>(MPI_OFFSET),
                                           known<float>(MPI_FLOAT),
                                           known<double>(MPI_DOUBLE),
                                           known<long double>(MPI_LONG_DOUBLE),
                                           known<std::complex<float>>(MPI_CXX_FLOAT_COMPLEX),
                                           known<std::complex<double>>(MPI_CXX_DOUBLE_COMPLEX),
                                           known<std::complex<float>>(MPI_C_FLOAT_COMPLEX),
                                           known<std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
                                           known<long_complex>(MPI_CXX_LONG_DOUBLE_COMPLEX),
                                           known<long_complex>(MPI_C_LONG_DOUBLE_COMPLEX)};
  return all;
}

/// Adds the datatypes in `types` whose elements are as long as a T. The lengths of Fortran's types
/// are chosen when the MPI library is built, and some libraries lack some types.
template <class T>
void add_fortran(std::vector<known_type>& all, std::initializer_list<MPI_Datatype> types) {
  for (MPI_Datatype type : types) {
    int size = 0;
    if (type != MPI_DATATYPE_NULL)
      mpi::check(MPI_Type_size(type, &size), "MPI_Type_size");
    if (size == static_cast<int>(sizeof(T)))
      all.push_back(known<T>(type));
  }
}

template <class... T>
void add_fortran_of(std::vector<known_type>& all, std::initializer_list<MPI_Datatype> types) {
  (add_fortran<T>(all, types), ...);
}

std::vector<known_type> const& fortran_types() {
  static std::vector<known_type> const all = [] {
    std::vector<known_type> found;
    add_fortran_of<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
        found, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_LOGICAL});
    add_fortran_of<float, double>(found, {MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION});
    add_fortran_of<std::complex<float>, std::complex<double>>(
        found, {MPI_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16, MPI_DOUBLE_COMPLEX});
    return found;
  }();
  return all;
}

} // namespace

std::vector<std::byte> neutral_element_of(MPI_Op op, MPI_Datatype type) {
  for (auto const* types : {&c_types(), &fortran_types()})
    for (known_type const& listed : *types)
      if (listed.type == type)
        return listed.neutral_element(op);
  return {};
}

} // namespace seam::detail
