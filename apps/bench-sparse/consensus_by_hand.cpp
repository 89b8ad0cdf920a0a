// Nonblocking consensus as programs write it: MPI_Issend, MPI_Iprobe, MPI_Ibarrier.
#include "way.hpp"

#include <seam/exchange/mpi/detail/check.hpp>

namespace sparse_bench {
namespace {

using seam::mpi::check;

class consensus_by_hand final : public way {
public:
  consensus_by_hand(MPI_Comm comm, int length) : comm_(comm), length_(length) {}

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    tag_ ^= 1;
    pack(ranks, values, out_);
    send(ranks);
    in.ranks.clear();
    in_.clear();
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (bool in_barrier = false, done = false; !done;) {
      receive_one(in);
      int complete = 0;
      if (in_barrier) {
        check(MPI_Test(&barrier, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        done = complete != 0;
        continue;
      }
      check(MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &complete,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
      if (complete != 0) {
        check(MPI_Ibarrier(comm_, &barrier), "MPI_Ibarrier");
        in_barrier = true;
      }
    }
    point_to(in_.data(), values.size(), in);
  }

private:
  void send(std::vector<int> const& ranks) {
    sends_.assign(ranks.size(), MPI_REQUEST_NULL);
    for (int m = 0; m < std::ssize(ranks); ++m)
      check(MPI_Issend(out_.data() + std::int64_t{m} * length_, length_, MPI_DOUBLE, ranks[m], tag_,
                       comm_, &sends_[m]),
            "MPI_Issend");
  }

  void receive_one(arrivals& in) {
    int found = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &found, &status), "MPI_Iprobe");
    if (found == 0)
      return;
    in.ranks.push_back(status.MPI_SOURCE);
    in_.resize(in.ranks.size() * length_);
    check(MPI_Recv(in_.data() + in_.size() - length_, length_, MPI_DOUBLE, status.MPI_SOURCE, tag_,
                   comm_, MPI_STATUS_IGNORE),
          "MPI_Recv");
  }

  MPI_Comm comm_;
  int length_;
  int tag_ = 0;
  std::vector<MPI_Request> sends_;
  std::vector<double> out_, in_;
};

} // namespace

std::unique_ptr<way> make_consensus_by_hand(MPI_Comm comm, int length) {
  return std::make_unique<consensus_by_hand>(comm, length);
}

} // namespace sparse_bench
