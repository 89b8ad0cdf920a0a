#include "way.hpp"

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

class message_each final : public way {
public:
  explicit message_each(route const& along) : along_(along), requests_(2 * along_.partitions) {}

  void start() override {
    for (int p = 0; p < along_.partitions; ++p)
      receive(along_, p, p + 1, requests_[p]);
  }
  void ready(int p) override { send(along_, p, p + 1, requests_[along_.partitions + p]); }
  void finish() override { wait_for(requests_); }

  int num_arrived() override {
    int arrived = 0;
    for (int p = 0; p < along_.partitions; ++p) {
      int is_there = 0;
      seam::mpi::check(MPI_Request_get_status(requests_[p], &is_there, MPI_STATUS_IGNORE),
                       "MPI_Request_get_status");
      arrived += is_there;
    }
    return arrived;
  }

private:
  route along_;
  std::vector<MPI_Request> requests_; ///< receives, then sends
};

} // namespace

std::unique_ptr<way> make_bulk(route const& along) { return std::make_unique<bulk>(along); }
std::unique_ptr<way> make_persistent(route const& along) {
  return std::make_unique<persistent>(along);
}
std::unique_ptr<way> make_message_each(route const& along) {
  return std::make_unique<message_each>(along);
}

} // namespace partitioned_bench
