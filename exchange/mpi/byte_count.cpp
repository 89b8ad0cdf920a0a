#include <seam/exchange/mpi/byte_count.hpp>

#include <array>
#include <limits>

namespace seam::mpi {
namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 30;

/// One element of `bytes` bytes: chunks, and what is left of them.
datatype type_of_size(std::int64_t bytes) {
  datatype one_chunk, type;
  check(MPI_Type_contiguous(static_cast<int>(chunk), MPI_BYTE, one_chunk.receive()),
        "MPI_Type_contiguous");
  std::int64_t const chunks = bytes / chunk;
  std::array const lengths{narrow(chunks, "message"), static_cast<int>(bytes % chunk)};
  std::array const places{MPI_Aint{0}, static_cast<MPI_Aint>(chunks * chunk)};
  std::array const types{one_chunk.native(), MPI_BYTE};
  check(MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), type.receive()),
        "MPI_Type_create_struct");
  MPI_Datatype native = type.native();
  check(MPI_Type_commit(&native), "MPI_Type_commit");
  return type;
}

} // namespace

byte_count::byte_count(std::int64_t bytes) {
  bool const fits = bytes <= std::numeric_limits<int>::max();
  count_ = fits ? static_cast<int>(bytes) : 1;
  if (!fits)
    large_ = type_of_size(bytes);
}

} // namespace seam::mpi
