#include <seam/exchange/waiting/requests.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

namespace seam::mpi {

requests::~requests() {
  if (is_running())
    for (MPI_Request& started : natives_)
      if (started != MPI_REQUEST_NULL)
        MPI_Request_free(&started);
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
