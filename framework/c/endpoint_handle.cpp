#include <seam/framework/c/endpoint_handle.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam::detail {

mpi::context* context_for(char const* call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, fmt::format("{}: MPI_COMM_NULL (expected a communicator)", call));
  mpi::context* const ranks = mpi::context_of(comm);
  if (ranks != nullptr)
    ranks->check_thread(call);
  return ranks;
}

} // namespace seam::detail
