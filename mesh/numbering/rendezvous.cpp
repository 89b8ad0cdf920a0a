#include <seam/mesh/numbering/rendezvous.hpp>

#include <seam/exchange/agreement/reported_call.hpp>

namespace seam::detail {

std::int64_t sum_before(mpi::comm_view over, std::int64_t count) {
  std::int64_t before = 0;
  mpi::reported_call const now(over, "MPI_Exscan");
  mpi::check(MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, over.native()), "MPI_Exscan");
  return over.rank() == 0 ? 0 : before;
}

} // namespace seam::detail
