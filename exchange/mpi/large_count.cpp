#include <seam/exchange/mpi/large_count.hpp>

#include <array>
#include <limits>

namespace seam::mpi {
namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 30;

/// A type of `count` elements of `type`: whole chunks, and the remaining elements.
datatype type_of_all(std::int64_t count, MPI_Datatype type) {
  datatype one_chunk, all;
  check(MPI_Type_contiguous(static_cast<int>(chunk), type, one_chunk.receive()),
        "MPI_Type_contiguous");
  MPI_Aint lower = 0, extent = 0;
  check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  std::int64_t const chunks = count / chunk;
  std::array const lengths{narrow(chunks, "message"), static_cast<int>(count % chunk)};
  std::array const places{MPI_Aint{0}, static_cast<MPI_Aint>(chunks * chunk) * extent};
  std::array const types{one_chunk.native(), type};
  check(MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), all.receive()),
        "MPI_Type_create_struct");
  MPI_Datatype native = all.native();
  check(MPI_Type_commit(&native), "MPI_Type_commit");
  return all;
}

} // namespace

large_count::large_count(std::int64_t count, MPI_Datatype type) : type_(type) {
  bool const fits = count <= std::numeric_limits<int>::max();
  count_ = fits ? static_cast<int>(count) : 1;
  if (!fits)
    all_ = type_of_all(count, type);
}

} // namespace seam::mpi
