#include "way.hpp"

#if MPI_VERSION >= 4

namespace partitioned_bench {
namespace {

/// MPICH 4.0 ends a program that makes a partitioned request to or from MPI_PROC_NULL, so there are
/// requests for messages to and from other ranks alone.
class native_partitioned final : public way {
public:
  explicit native_partitioned(route const& along) : along_(along) {
    MPI_Count const each = along_.partition_bytes();
    MPI_Comm const comm = along_.comm.view().native();
    if (along_.receives())
      seam::mpi::check(MPI_Precv_init(along_.in.data(), along_.partitions, each, MPI_BYTE,
                                      along_.from, 0, comm, MPI_INFO_NULL, &arriving_),
                       "MPI_Precv_init");
    if (along_.sends())
      seam::mpi::check(MPI_Psend_init(along_.out.data(), along_.partitions, each, MPI_BYTE,
                                      along_.to, 0, comm, MPI_INFO_NULL, &leaving_),
                       "MPI_Psend_init");
  }
  ~native_partitioned() override {
    for (MPI_Request* request : {&arriving_, &leaving_})
      if (*request != MPI_REQUEST_NULL)
        MPI_Request_free(request);
  }

  void start() override {
    for (MPI_Request* request : {&arriving_, &leaving_})
      if (*request != MPI_REQUEST_NULL)
        seam::mpi::check(MPI_Start(request), "MPI_Start");
  }
  void ready(int p) override {
    if (along_.sends())
      seam::mpi::check(MPI_Pready(p, leaving_), "MPI_Pready");
  }
  void finish() override {
    for (MPI_Request* request : {&arriving_, &leaving_})
      seam::mpi::check(MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
  }

  int num_arrived() override {
    int arrived = 0;
    for (int p = 0; along_.receives() && p < along_.partitions; ++p) {
      int is_there = 0;
      seam::mpi::check(MPI_Parrived(arriving_, p, &is_there), "MPI_Parrived");
      arrived += is_there;
    }
    return arrived;
  }

private:
  route along_;
  MPI_Request arriving_ = MPI_REQUEST_NULL, leaving_ = MPI_REQUEST_NULL;
};

} // namespace

std::unique_ptr<way> make_native_partitioned(route const& along) {
  return std::make_unique<native_partitioned>(along);
}

} // namespace partitioned_bench

#endif
