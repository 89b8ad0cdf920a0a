// The limit: an exchange whose sources are known, by MPI_Irecv, MPI_Isend, MPI_Waitall.
#include "way.hpp"

#include <seam/exchange/mpi/detail/check.hpp>

namespace sparse_bench {
namespace {

class known_sources final : public way {
public:
  known_sources(MPI_Comm comm, int length, std::vector<int> sources)
      : comm_(comm), length_(length), sources_(std::move(sources)) {}

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    std::int64_t const length = length_;
    in.ranks = sources_;
    pack(ranks, values, out_);
    in_.resize(sources_.size() * length);
    requests_.resize(sources_.size() + ranks.size());
    auto request = requests_.begin();
    for (int m = 0; m < std::ssize(sources_); ++m)
      seam::mpi::check(MPI_Irecv(in_.data() + m * length, length_, MPI_DOUBLE, sources_[m], 0,
                                 comm_, &*request++),
                       "MPI_Irecv");
    for (int m = 0; m < std::ssize(ranks); ++m)
      seam::mpi::check(MPI_Isend(out_.data() + m * length, length_, MPI_DOUBLE, ranks[m], 0, comm_,
                                 &*request++),
                       "MPI_Isend");
    seam::mpi::check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(),
                                 MPI_STATUSES_IGNORE),
                     "MPI_Waitall");
    point_to(in_.data(), length, in);
  }

private:
  MPI_Comm comm_;
  int length_;
  std::vector<int> sources_;
  std::vector<MPI_Request> requests_;
  std::vector<double> out_, in_;
};

} // namespace

std::unique_ptr<way> make_known_sources(MPI_Comm comm, int length,
                                        std::vector<int> const& sources) {
  return std::make_unique<known_sources>(comm, length, sources);
}

} // namespace sparse_bench
