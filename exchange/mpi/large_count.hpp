/// Messages of any length: a count of elements that may exceed an int, as the count and the
/// datatype that MPI's calls take.
#pragma once

#include <seam/exchange/mpi/detail/handle.hpp>

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

} // namespace seam::mpi
