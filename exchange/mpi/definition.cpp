#include <seam/exchange/mpi/definition.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/mpi/detail/returned_errors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace seam::mpi {
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
