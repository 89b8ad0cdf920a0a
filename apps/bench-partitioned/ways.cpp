// The ways: seam's, and those of MPI.
#include "way.hpp"

#include <seam/partitioned.hpp>

namespace partitioned_bench {
namespace {

MPI_Comm native(route const& along) { return along.comm.view().native(); }

void wait_for(std::span<MPI_Request> requests) {
  seam::mpi::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                               MPI_STATUSES_IGNORE),
                   "MPI_Waitall");
}

/// Receives the partitions [first, last) of a route in one message.
void receive(route const& along, int first, int last, MPI_Request& request) {
  int const each = along.partition_bytes();
  seam::mpi::check(MPI_Irecv(&along.in[first * each], (last - first) * each, MPI_BYTE, along.from,
                             first, native(along), &request),
                   "MPI_Irecv");
}

/// Sends the partitions [first, last) of a route in one message.
void send(route const& along, int first, int last, MPI_Request& request) {
  int const each = along.partition_bytes();
  seam::mpi::check(MPI_Isend(&along.out[first * each], (last - first) * each, MPI_BYTE, along.to,
                             first, native(along), &request),
                   "MPI_Isend");
}

/// The whole buffer in one message, by MPI_Isend.
class bulk final : public way {
public:
  explicit bulk(route const& along) : along_(along) {}

  void start() override { receive(along_, 0, along_.partitions, requests_[0]); }
  void ready(int) override {}
  void finish() override {
    send(along_, 0, along_.partitions, requests_[1]);
    wait_for(requests_);
  }

private:
  route along_;
  MPI_Request requests_[2];
};

/// The whole buffer in one message, by a persistent request.
class persistent final : public way {
public:
  explicit persistent(route const& along) : along_(along) {
    int const bytes = static_cast<int>(along_.out.size());
    seam::mpi::check(MPI_Recv_init(along_.in.data(), bytes, MPI_BYTE, along_.from, 0,
                                   native(along_), &requests_[0]),
                     "MPI_Recv_init");
    seam::mpi::check(MPI_Send_init(along_.out.data(), bytes, MPI_BYTE, along_.to, 0, native(along_),
                                   &requests_[1]),
                     "MPI_Send_init");
  }
  ~persistent() override {
    for (MPI_Request& request : requests_)
      MPI_Request_free(&request);
  }

  void start() override { seam::mpi::check(MPI_Start(&requests_[0]), "MPI_Start"); }
  void ready(int) override {}
  void finish() override {
    seam::mpi::check(MPI_Start(&requests_[1]), "MPI_Start");
    wait_for(requests_);
  }

private:
  route along_;
  MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

/// A message for each partition, by the thread that has written it.
class message_each final : public way {
public:
  explicit message_each(route const& along) : along_(along), requests_(2 * along_.partitions) {}

  void start() override {
    for (int p = 0; p < along_.partitions; ++p)
      receive(along_, p, p + 1, requests_[p]);
  }
  void ready(int p) override { send(along_, p, p + 1, requests_[along_.partitions + p]); }
  void finish() override { wait_for(requests_); }

private:
  route along_;
  std::vector<MPI_Request> requests_; ///< receives, then sends
};

/// seam's partitioned messages.
class partitioned final : public way {
public:
  explicit partitioned(route const& along)
      : out_(seam::psend_init(along.comm, seam::in_partitions(along.out, along.partitions),
                              along.to, 0)),
        in_(seam::precv_init(along.comm, seam::in_partitions(along.in, along.partitions),
                             along.from, 0)) {}

  void start() override {
    in_.start();
    out_.start();
  }
  void ready(int p) override { out_.ready(p); }
  void finish() override {
    in_.wait();
    out_.wait();
  }

private:
  seam::partitioned_operation out_, in_;
};

#if MPI_VERSION >= 4
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

private:
  route along_;
  MPI_Request arriving_ = MPI_REQUEST_NULL, leaving_ = MPI_REQUEST_NULL;
};
#endif

} // namespace

std::vector<contender> contenders() {
  return {
    contender::by<partitioned>("partitioned", seam::role::subject),
        contender::by<bulk>("bulk isend"), contender::by<persistent>("one persistent send"),
        contender::by<message_each>("isend for each"),
#if MPI_VERSION >= 4
        contender::by<native_partitioned>("MPI_Psend_init"),
#endif
  };
}

} // namespace partitioned_bench
