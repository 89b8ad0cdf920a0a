// MPI's persistent neighborhood collectives, under the names of Open MPI 4.
#include "problem.hpp"

#include <mpi-ext.h>

namespace collective_bench {
namespace {

using seam::mpi::check;

/// A persistent request of MPI that is started and completed at every run.
class kept_request {
public:
  kept_request() = default;
  kept_request(kept_request const&) = delete;
  kept_request& operator=(kept_request const&) = delete;
  ~kept_request() {
    if (native_ != MPI_REQUEST_NULL)
      MPI_Request_free(&native_);
  }

  MPI_Request* receive() { return &native_; }
  void run() {
    check(MPI_Start(&native_), "MPI_Start");
    check(MPI_Wait(&native_, MPI_STATUS_IGNORE), "MPI_Wait");
  }

private:
  MPI_Request native_ = MPI_REQUEST_NULL;
};

} // namespace

seam::variant persistent_neighbor_collective(problem& on) {
  seam::variant made{"mpix persistent", {}, seam::role::rival};
  auto const request = std::make_shared<kept_request>();
  if (on.operation == "alltoall")
    check(MPIX_Neighbor_alltoall_init(on.send.data(), on.count, MPI_DOUBLE, on.receive.data(),
                                      on.count, MPI_DOUBLE, on.native, MPI_INFO_NULL,
                                      request->receive()),
          "MPIX_Neighbor_alltoall_init");
  else if (on.operation == "allgather")
    check(MPIX_Neighbor_allgather_init(on.send.data(), on.count, MPI_DOUBLE, on.receive.data(),
                                       on.count, MPI_DOUBLE, on.native, MPI_INFO_NULL,
                                       request->receive()),
          "MPIX_Neighbor_allgather_init");
  else
    return made;
  made.run = [request] { request->run(); };
  return made;
}

} // namespace collective_bench
