#include <seam/exchange/waiting/requests.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

namespace seam::mpi {

requests::~requests() {
  if (is_running())
    for (MPI_Request& started : natives_)
      if (started != MPI_REQUEST_NULL)
        MPI_Request_free(&started);
}

/// MPI_Testall of MPICH 4.0 ends the program, by a failed assertion, at some arrays of persistent and
/// other requests of messages to the own process: there each request is tested by itself.
bool requests::test_all() {
  int done = 1;
#if defined(MPICH_NUMVERSION)
  for (int i = 0; i < size() && done != 0; ++i)
    check(MPI_Test(at(i), &done, MPI_STATUS_IGNORE), "MPI_Test");
#else
  if (size() > 0)
    check(MPI_Testall(size(), at(0), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
#endif
  return done != 0;
}

bool requests::test() {
  for (; num_complete_ < size(); ++num_complete_) {
    int complete = 0;
    check(MPI_Test(&natives_[num_complete_], &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete == 0)
      return false;
  }
  natives_.clear();
  num_complete_ = 0;
  return true;
}

void requests::wait() {
  for (detail::patience wait; !test();)
    wait.pause();
}

} // namespace seam::mpi
