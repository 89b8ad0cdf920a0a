// MPI_Alltoall of the counts, then MPI_Alltoallv.
#include "way.hpp"

#include <numeric>

namespace sparse_bench {
namespace {

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
    seam::mpi::check(MPI_Alltoall(counts_out_.data(), 1, MPI_INT, counts_in_.data(), 1, MPI_INT,
                                  comm_),
                     "MPI_Alltoall");
    std::exclusive_scan(counts_out_.begin(), counts_out_.end(), begins_out_.begin(), 0);
    std::exclusive_scan(counts_in_.begin(), counts_in_.end(), begins_in_.begin(), 0);
    in.ranks.clear();
    for (int from = 0; from < std::ssize(counts_in_); ++from)
      if (counts_in_[from] > 0)
        in.ranks.push_back(from);
    in_.resize(in.ranks.size() * values.size());
    seam::mpi::check(MPI_Alltoallv(out_.data(), counts_out_.data(), begins_out_.data(), MPI_DOUBLE,
                                   in_.data(), counts_in_.data(), begins_in_.data(), MPI_DOUBLE,
                                   comm_),
                     "MPI_Alltoallv");
    point_to(in_.data(), values.size(), in);
  }

private:
  MPI_Comm comm_;
  int length_;
  std::vector<int> counts_out_, counts_in_, begins_out_, begins_in_;
  std::vector<double> out_, in_;
};

} // namespace

std::unique_ptr<way> make_alltoallv(MPI_Comm comm, int length) {
  return std::make_unique<alltoallv>(comm, length);
}

} // namespace sparse_bench
