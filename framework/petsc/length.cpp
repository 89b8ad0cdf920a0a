#include <seam/framework/petsc/length.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <petscsys.h>

#include <fmt/format.h>

#include <limits>

namespace seam::detail {

petsc_length measure_length(mpi::comm_view over, std::int64_t num_owned) {
  petsc_length length{num_owned, 0, mpi::allreduce(over, num_owned, MPI_SUM)};
  constexpr std::int64_t most = std::numeric_limits<PetscInt>::max();
  if (length.all > most)
    throw usage_error(
        fmt::format("petsc: {} unknowns (expected at most {}, which this PETSc counts "
                    "to)",
                    length.all, most),
        true);
  length.first = mpi::sum_before(over, num_owned);
  return length;
}

} // namespace seam::detail
