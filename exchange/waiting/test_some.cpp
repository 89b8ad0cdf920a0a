#include <seam/exchange/waiting/test_some.hpp>

namespace seam::mpi {

#if defined(MPICH_NUMVERSION)

int test_some(std::span<MPI_Request> receives, int& count, int* indices, MPI_Status* statuses) {
  count = 0;
  bool is_any_active = false;
  for (int i = 0; i < std::ssize(receives); ++i) {
    int is_over = 0;
    MPI_Status& status = statuses[count];
    int const code = MPI_Test(&receives[i], &is_over, &status);
    status.MPI_ERROR = code;
    bool const was_inactive = is_over != 0 && status.MPI_SOURCE == MPI_ANY_SOURCE;
    is_any_active = is_any_active || !was_inactive;
    if (code == MPI_SUCCESS && (is_over == 0 || was_inactive))
      continue;
    indices[count++] = i;
    if (code != MPI_SUCCESS)
      return MPI_ERR_IN_STATUS;
  }
  if (!is_any_active)
    count = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

#else

int test_some(std::span<MPI_Request> receives, int& count, int* indices, MPI_Status* statuses) {
  return MPI_Testsome(static_cast<int>(receives.size()), receives.data(), &count, indices,
                      statuses);
}

#endif

} // namespace seam::mpi
