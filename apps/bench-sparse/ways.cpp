// The ways of seam and of plain MPI.
#include "way.hpp"

#include <seam/exchange/mpi/detail/check.hpp>

#include <numeric>

namespace sparse_bench {
namespace {

using seam::mpi::check;

/// MPI_Alltoall of the counts, then MPI_Alltoallv.
class alltoallv final : public way {
public:
  alltoallv(MPI_Comm comm, int length) : comm_(comm), length_(length) {
    int const size = seam::mpi::comm_view(comm).size();
    for (auto* array : {&counts_out_, &counts_in_, &begins_out_, &begins_in_})
      array->resize(size);
  }

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    pack(ranks, values, out_);
    std::ranges::fill(counts_out_, 0);
    for (int to : ranks)
      counts_out_[to] = length_;
    check(MPI_Alltoall(counts_out_.data(), 1, MPI_INT, counts_in_.data(), 1, MPI_INT, comm_),
          "MPI_Alltoall");
    std::exclusive_scan(counts_out_.begin(), counts_out_.end(), begins_out_.begin(), 0);
    std::exclusive_scan(counts_in_.begin(), counts_in_.end(), begins_in_.begin(), 0);
    in.ranks.clear();
    for (int from = 0; from < std::ssize(counts_in_); ++from)
      if (counts_in_[from] > 0)
        in.ranks.push_back(from);
    in_.resize(in.ranks.size() * values.size());
    check(MPI_Alltoallv(out_.data(), counts_out_.data(), begins_out_.data(), MPI_DOUBLE, in_.data(),
                        counts_in_.data(), begins_in_.data(), MPI_DOUBLE, comm_),
          "MPI_Alltoallv");
    point_to(in_.data(), values.size(), in);
  }

private:
  MPI_Comm comm_;
  int length_;
  std::vector<int> counts_out_, counts_in_, begins_out_, begins_in_;
  std::vector<double> out_, in_;
};

/// Nonblocking consensus as programs write it: MPI_Issend, MPI_Iprobe, MPI_Ibarrier.
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

/// seam's SparseExchange, by a given algorithm or by the one that it chooses.
class by_seam final : public way {
public:
  by_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm)
      : exchange_(over, {.algorithm = algorithm}) {}

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    for (int to : ranks)
      exchange_.pack_bytes(to, std::as_bytes(values));
    exchange_.exchange();
    in.ranks.clear();
    in.values.clear();
    while (exchange_.receive()) {
      auto const bytes = exchange_.unpack_bytes(exchange_.bytes_left());
      in.ranks.push_back(exchange_.from());
      in.values.push_back(reinterpret_cast<double const*>(bytes.data()));
    }
  }

private:
  seam::SparseExchange exchange_;
};

} // namespace

std::vector<rival> rivals_of_mpi() {
  return {rival::by<alltoallv>("mpi alltoallv"), rival::by<consensus_by_hand>("nbx by hand")};
}

std::unique_ptr<way> make_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm) {
  return std::make_unique<by_seam>(over, algorithm);
}

} // namespace sparse_bench
