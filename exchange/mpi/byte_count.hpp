/// Messages of any length: a number of bytes as the count and type that MPI's calls take.
#pragma once

#include <seam/exchange/mpi/handle.hpp>

#include <cstdint>

namespace seam::mpi {

/// `bytes` as count() elements of type(): plain bytes as long as their number fits into an int, one
/// element of a type of that size beyond.
class byte_count {
public:
  explicit byte_count(std::int64_t bytes);

  int count() const noexcept { return count_; }
  MPI_Datatype type() const noexcept { return large_.is_open() ? large_.native() : MPI_BYTE; }

private:
  int count_;
  datatype large_;
};

} // namespace seam::mpi
