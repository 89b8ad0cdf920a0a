#include <seam/exchange/agreement/reported_call.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/watch.hpp>

namespace seam::mpi {
namespace {

/// True if the processes of `over` have to meet; the same on all of them, since all or none watch.
bool must_meet(comm_view over) {
  return context_of(over) == nullptr && seam::detail::is_watched() && !detail::may_block() &&
         seam::detail::call_record::of(over)->id() != 0;
}

} // namespace

void meet_if_reported(comm_view over) {
  if (!must_meet(over))
    return;
  MPI_Request met = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(over.native(), &met), "MPI_Ibarrier");
  detail::wait_for(met, "MPI_Ibarrier");
}

} // namespace seam::mpi
