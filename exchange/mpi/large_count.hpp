/// Messages of any length: a count of elements that may exceed an int, as the count and the
/// datatype that MPI's calls take.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

#include <mpi.h>

#include <cstdint>

namespace seam::mpi {

/// `count` elements of `type` as count() elements of type(): unchanged if their number fits into an
/// int, otherwise one element of a type that holds them all.
class large_count {
public:
  explicit large_count(std::int64_t count, MPI_Datatype type = MPI_BYTE);

  int count() const noexcept { return count_; }
  MPI_Datatype type() const noexcept { return all_.is_open() ? all_.native() : type_; }

private:
  int count_;
  MPI_Datatype type_;
  datatype all_;
};

/// The bytes of the message that `status` is of. Local.
inline std::int64_t bytes_of(MPI_Status const& status) {
  MPI_Count bytes = 0;
#if MPI_VERSION >= 4
  check(MPI_Get_elements_c(&status, MPI_BYTE, &bytes), "MPI_Get_elements_c");
#else
  check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
#endif
  return bytes;
}

/// Makes `status` that of a message of as many bytes, which bytes_of() and MPI_Get_count() then find.
/// Local.
/// @return  MPI's error class
inline int set_bytes(MPI_Status& status, std::int64_t bytes) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  return MPI_Status_set_elements_c(&status, MPI_BYTE, bytes);
#else
  return MPI_Status_set_elements_x(&status, MPI_BYTE, bytes);
#endif
}

} // namespace seam::mpi
